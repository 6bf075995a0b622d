import Codec
import EventLoop
import Foundation
import JSON
import MQTT
import Simulator
import System
import TestSupport
import TestTraits
import Testing

@testable import Contract

/// Records in the memory of a device, from the question to the late topics, and numbered questions.
@Suite(.ownThreads) struct HistoryTests {
    /// The time in seconds since 1970.
    private static var now: Int64 { Int64(Date().timeIntervalSince1970) }

    // MARK: A plant sensor

    /// A plant sensor with three hourly records; it has been running for 2,158,345 s.
    private static let plant = Scenario(
        fleet: """
            peripherals:
              plant:
                address: C0:00:00:00:00:01
                advertise: {every: 5ms}
                pace: \(Scenario.hurry)
                services:
                  - uuid: 1204
                    characteristics:
                      - {uuid: 1A00, flags: [write], answers: [{ask: A01F, on: 1A01, send: EA0000AB00000015B200023C00FB349B}]}
                      - {uuid: 1A01, flags: [read], hex: "00"}
                  - uuid: 1206
                    characteristics:
                      - uuid: 1A10
                        flags: [write]
                        answers:
                          - {ask: A00000, on: 1A11, send: 03007B04000000000000000000000000}
                          - {ask: A10000, on: 1A11, send: 70E72000EB00005A00000015B3000000}
                          - {ask: A10100, on: 1A11, send: 60D92000EB00005A00000016B3000000}
                          - {ask: A10200, on: 1A11, send: 50CB2000EB00005A000000FFB3000000}
                      - {uuid: 1A11, flags: [read], hex: "00"}
                      - {uuid: 1A12, flags: [read], hex: "09EF2000"}
            """,
        """
        devices:
          plant:
            address: C0:00:00:00:00:01
            connect: every 1h
            within: 10s
            profile: xiaomi/flower_care
            adjust: {plant.temperature: value - 1}
            characteristics: {battery: none}
        """)

    private static let late = "bluefleet/bridge/attic/late/plant/plant"

    @Test func `records are published with their own times on the late topic`() throws {
        try withFixture(Self.plant) { fixture in
            #expect(try await fixture.recorder.next("bluefleet/plant/plant")["moisture"] == 21)
            let now = Self.now * 1000
            for moisture in [21, 22] { try await fixture.recorder.next(Self.late) { $0["moisture"]?.int == moisture } }
            try await fixture.event("disconnected", of: "plant")
            let records = fixture.recorder.all(Self.late)
            // The record with the moisture 255 is not valid.
            #expect(records.map { $0.json?["moisture"] } == [21, 22])
            let first = try #require(records.first?.json)
            // Corrected as the values of the present are.
            #expect(first["temperature"]?.description == "22.5")
            #expect(first["adjusted"] == ["temperature"])
            #expect(first["late"] == true && records.allSatisfy { !$0.isRetained })
            let time = try #require(first["time"]?.string.flatMap { Timestamp($0) }).milliseconds
            #expect(abs(now - (2_158_345 - 0x20E770) * 1000 - time) < 60_000)
            let ids = records.compactMap { $0.json?["id"]?.int }
            #expect(Set(ids).count == 2 && ids == ids.sorted())
            #expect(fixture.recorder.all("bluefleet/plant/log").isEmpty)
        }
    }

    @Test func `known records are not published again, also after a restart`() throws {
        try withFixture(Self.plant) { fixture in
            try await fixture.recorder.next(Self.late) { $0["moisture"] == 22 }
            try await fixture.event("disconnected", of: "plant")
            try await fixture.stopGateway()
            try await fixture.startGateway()
            let response = try await fixture.request("plant/request/history", #"{"characteristic":"log"}"#)
            #expect(response["data"] == ["characteristic": "log", "records": 0])
            #expect(fixture.recorder.all(Self.late).count == 2)
        }
    }

    @Test func `the request history is rejected for an entry without records`() throws {
        try withFixture(Self.plant) { fixture in
            let wrong = try await fixture.refusal("plant/request/history", #"{"characteristic":"plant"}"#)
            #expect(wrong == "not_supported")
            let unknown = try await fixture.refusal("plant/request/history", #"{"characteristic":"logs"}"#)
            #expect(unknown == "unknown_characteristic")
        }
    }

    @Test func `Home Assistant gets no entities of a history`() throws {
        let scenario = Self.plant.with { $0.homeAssistant = "discovery: device" }
        try withFixture(scenario) { fixture in
            let discovery = try await fixture.recorder.next("homeassistant/device/bluefleet_c00000000001/config") { _ in
                true
            }
            let topics = Set((discovery["components"]?.object ?? [:]).compactMap { $0.value["state_topic"]?.string })
            #expect(topics.contains("bluefleet/plant/plant"))
            #expect(!topics.contains("bluefleet/plant/log"))
        }
    }

    // MARK: A stream of records

    /// A device that sends records of these hours before now, and then an end mark if `isWhole`.
    private static func stream(_ hours: [Int64], isWhole: Bool = true) -> Scenario {
        let now = now
        var frames = hours.map { hour in
            let bytes = (0..<4).reversed().map { UInt8(truncatingIfNeeded: (now - hour * 3600) >> ($0 * 8)) }
            return "\"AA\(bytes.hexadecimal)\(hour < 16 ? "0" : "")\(String(hour, radix: 16))\""
        }
        if isWhole { frames.append("\"EE\"") }
        return Scenario(
            fleet: """
                peripherals:
                  logger:
                    address: C0:00:00:00:00:01
                    advertise: {every: 5ms}
                    pace: \(Scenario.hurry)
                    services:
                      - uuid: FF00
                        characteristics:
                          - {uuid: FF01, flags: [notify]}
                          - {uuid: FF02, flags: [write], answers: [{ask: "10????????", on: FF01, send: [\(frames.joined(separator: ", "))]}]}
                """,
            """
            devices:
              logger:
                address: C0:00:00:00:00:01
                connect: every 1s
                within: 100ms
                characteristics:
                  log:
                    ask: {service: FF00, to: FF02, attempts: 1, format: ["10", {name: from, type: uint32, endian: big, value: since}]}
                    answer: {from: FF01, starts_with: AA, length: 6, until: {starts_with: EE, length: 1}, within: 5m}
                    valid: hours > 0
                    history: {as: advertisement, time: recorded}
                    format: ["AA", {name: recorded, type: uint32, endian: big, hidden: true}, {name: hours, type: uint8}]
            """)
    }

    private static let hours = "bluefleet/bridge/attic/late/logger/hours"

    @Test func `a session waits for the records, and each advertised quantity has a late topic`() throws {
        try withFixture(Self.stream([5, 4, 3])) { fixture in
            for hours in [5, 4, 3] {
                let record = try await fixture.recorder.next(Self.hours)
                #expect(record["value"]?.int == hours)
            }
        }
    }

    @Test func `after a break in the middle of a history, the next session goes on`() throws {
        try withFixture(Self.stream([5, 4, 3], isWhole: false)) { fixture in
            for hours in [5, 4] { #expect(try await fixture.recorder.next(Self.hours)["value"]?.int == hours) }
            try await fixture.direct { try $0.dropLink(of: "logger") }
            let question = try await fixture.questions(2)
            // Four hours before now.
            let since = try #require(question.last.flatMap { Int64($0, radix: 16) })
            #expect(abs(Self.now - 4 * 3600 - since) < 60)
        }
    }

    @Test func `records that the broker does not accept are asked for again`() throws {
        let scenario = Self.stream([5, 4, 3]).with { scenario in
            scenario.broker.accessRules = "topic deny bluefleet/bridge/attic/late/#\ntopic readwrite #\n"
        }
        try withFixture(scenario) { fixture in
            try await fixture.recorder.next("bluefleet/bridge/attic/event") { $0["type"] == "broker_refused" }
            try await fixture.event("disconnected", of: "logger")
            let response = try await fixture.request("logger/request/history")
            #expect(response["data"]?["records"] == 3)
            let questions = try await fixture.questions(2).compactMap { Int64($0, radix: 16) }
            // Both questions are for the last day.
            #expect(abs(questions[1] - questions[0]) < 60)
        }
    }

    // MARK: Numbered questions

    private static let packs = Scenario(
        fleet: """
            peripherals:
              battery:
                address: C0:00:00:00:00:01
                advertise: {every: 5ms}
                pace: \(Scenario.hurry)
                services:
                  - uuid: FF00
                    characteristics:
                      - {uuid: FF01, flags: [notify]}
                      - uuid: FF02
                        flags: [write]
                        answers:
                          - {ask: C0, on: FF01, send: C002}
                          - {ask: A001, on: FF01, send: A0010A}
                          - {ask: A002, on: FF01, send: A0020B}
            """,
        """
        devices:
          battery:
            address: C0:00:00:00:00:01
            connect: every 1h
            ask: {service: FF00, to: FF02}
            answer: {from: FF01}
            characteristics:
              count: {ask: "C0", answer: {starts_with: C0, length: 2}, valid: packs < 9, format: ["C0", {name: packs, type: uint8}]}
              pack:
                title: Pack
                ask: {each: {number: [1, count.packs]}, format: ["A0", {name: pack, type: uint8, value: number}]}
                answer: {starts_with: [0xA0, number], length: 3}
                valid: voltage < 99
                format: ["A0??", {name: voltage, type: uint8, unit: V}]
        """
    ).with { $0.homeAssistant = "discovery: device" }

    private static let discovery = "homeassistant/device/bluefleet_c00000000001/config"

    /// Returns the names of the entities, by their topics.
    private func entities(_ discovery: JSON) -> [String: String] {
        Dictionary(
            (discovery["components"]?.object ?? [:]).compactMap { component in
                component.value["state_topic"]?.string.flatMap { topic in
                    component.value["name"]?.string.map { (topic, $0) }
                }
            }
        ) { first, _ in first }
    }

    @Test func `each numbered question has a topic, and entities when it is first answered`() throws {
        try withFixture(Self.packs) { fixture in
            #expect(try await fixture.recorder.next("bluefleet/battery/pack_1")["voltage"] == 10)
            #expect(try await fixture.recorder.next("bluefleet/battery/pack_2")["voltage"] == 11)
            let discovery = try await fixture.recorder.next(Self.discovery) { discovery in
                entities(discovery)["bluefleet/battery/pack_2"] != nil
            }
            #expect(entities(discovery)["bluefleet/battery/pack_1"] == "Pack 1 voltage")
            #expect(entities(discovery)["bluefleet/battery/pack"] == nil)
            #expect(fixture.recorder.all("bluefleet/battery/pack").isEmpty)
        }
    }

    @Test func `a value is derived from the answers to single numbers`() throws {
        let derived = Self.packs.with {
            $0.configuration += "\n    derive: {sum: {value: pack_1.voltage + pack_2.voltage, unit: V}}"
        }
        try withFixture(derived) { fixture in
            let sum = try await fixture.recorder.next("bluefleet/battery/sum")
            #expect(sum["value"] == 21)
        }
    }

    @Test func `the entities of numbered questions survive a restart`() throws {
        try withFixture(Self.packs) { fixture in
            try await fixture.recorder.next(Self.discovery) { entities($0)["bluefleet/battery/pack_2"] != nil }
            try await fixture.stopGateway()
            await fixture.stopSimulation()
            fixture.recorder.forget(Self.discovery)
            try await fixture.startGateway()
            let discovery = try await fixture.recorder.next(Self.discovery)
            #expect(entities(discovery)["bluefleet/battery/pack_2"] == "Pack 2 voltage")
        }
    }
}

extension Fixture {
    /// Waits for a number of questions to the logger; returns the bytes after the command.
    fileprivate func questions(_ count: Int) async throws -> [String] {
        var found: [String] = []
        try await until("\(count) questions") {
            found = try await events(of: "logger").compactMap { event in
                event.contains(" FF02 10") ? event.split(separator: " ").last.map { String($0.dropFirst(2)) } : nil
            }
            return found.count >= count
        }
        return found
    }
}
