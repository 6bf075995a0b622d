import Foundation
import JSON
import MQTT
import Simulator
import System
import TestSupport
import TestTraits
import Testing

@testable import Bridge

/// The log of the gateway, as the request `log` publishes it.
///
/// The log belongs to the process, so its lines are published for one gateway at a time, and with those of others.
@Suite(.serialized, .ownThreads) struct LogRelayTests {
    private static let topic = "bluefleet/bridge/attic/log"

    /// A device with a name that other tests do not use.
    private static let porch = Scenario.climate("connect: always").with { scenario in
        scenario.configuration.replace("climate:", with: "porch:")
    }

    @discardableResult
    private static func line(
        _ fixture: Fixture, of subject: String, _ isWanted: @escaping @Sendable (String) -> Bool
    ) async throws -> JSON {
        try await fixture.recorder.next(topic) { line in
            line["subject"]?.string == subject && isWanted(line["message"]?.string ?? "")
        }
    }

    @Test func `the log shows each change of a device and each failed request`() throws {
        try withFixture(Self.porch) { fixture in
            try await fixture.connection(of: "porch", "connected")
            let data = try await fixture.request("bridge/attic/request/log")["data"]
            #expect(data?["topic"] == .string(Self.topic))
            for _ in 1...2 {
                try await fixture.direct { try $0.dropLink(of: "climate") }
                try await Self.line(fixture, of: "porch") { $0.hasPrefix("disconnected reason=\"the link was lost") }
                let line = try await Self.line(fixture, of: "porch") { $0.hasPrefix("connected adapter=hci0") }
                #expect(line["level"] == "info")
            }
            #expect(try await fixture.refusal("porch/nothing/get") == "unknown_characteristic")
            let failure = try await Self.line(fixture, of: "requests") {
                $0.hasPrefix("bluefleet/porch/nothing/get failed")
            }
            #expect(failure["message"]?.string?.hasSuffix("code=unknown_characteristic") == true)
        }
    }

    @Test(arguments: [
        ("5.66", "the last 5 connections were lost"), ("5.87", "the device has ended the last 5 connections"),
    ])
    func `a device that disconnects when it is idle causes advice once`(bluetoothd: String, message: String) throws {
        let scenario = Self.porch.beating("temperature").with {
            $0.fleet = "bluetoothd: \"\(bluetoothd)\"\n" + $0.fleet
            $0.fleet.replace("pair: 1ms}", with: "pair: 1ms, idle: 200ms}")
        }
        try withFixture(scenario) { fixture in
            try await fixture.request("bridge/attic/request/log", #"{"for":"1m"}"#)
            let isAdvice = { @Sendable (line: String) in
                line.hasPrefix(message) && line.contains("write connect: every 10m")
            }
            let line = try await Self.line(fixture, of: "porch", isAdvice)
            #expect(line["level"] == "warning")
            for _ in 1...2 { try await fixture.connection(of: "porch", "connected") }
            let lines = fixture.recorder.all(Self.topic).compactMap { $0.json?["message"]?.string }
            #expect(lines.count(where: isAdvice) == 1)
        }
    }

    @Test func `the log says that a value without bytes is empty`() throws {
        try withFixture(Self.porch) { fixture in
            try await fixture.event("subscribed 2A6E", of: "climate")
            try await fixture.request("bridge/attic/request/log", #"{"for":"1m"}"#)
            try await fixture.notify("", from: "2A6E", of: "climate")
            try await Self.line(fixture, of: "porch") { $0.hasPrefix("temperature: cannot decode an empty value: ") }
        }
    }

    @Test func `a passkey in a request reaches no log line, no message and no file`() throws {
        let scenario = Self.porch.with {
            $0.fleet.replace("advertise: {rssi: -61", with: "pairing: passkey 271828\n    advertise: {rssi: -61")
            $0.configuration.replace("connect: always", with: "connect: on demand")
            $0.configuration += "\nspool: {keep: all, sync: 1s}"
        }
        try withFixture(scenario) { fixture in
            try await fixture.request("bridge/attic/request/log", #"{"for":"1m","level":"debug"}"#)
            for payload in [
                #"{"device":"porch","passkey":"2718281"}"#, #"{"device":"porch","passkey":"0x271828"}"#,
                #"{"device":"porch","passkey":271828"#, #"{"device":"porch","pass_key":271828}"#,
                #"{"device":"porch","passkey":[271828]}"#, "271828",
            ] {
                #expect(try await fixture.refusal("bridge/attic/request/pair", payload) == "bad_request", "\(payload)")
            }
            #expect(try await fixture.refusal("porch/request/pair", #"{"passkey":271828}"#) == "unknown_verb")
            let paired = try await fixture.request(
                "bridge/attic/request/pair", #"{"device":"porch","passkey":"271 828"}"#)
            #expect(paired["data"]?["bonded"] == true)
            try await Self.line(fixture, of: "requests") {
                $0.hasPrefix("bluefleet/bridge/attic/request/pair succeeded")
            }
            fixture.broker.stop()
            try await fixture.stopGateway()
            let secret = ["271828", "271 828"]
            let messages = fixture.recorder.messages.map { "\($0.topic) \($0.text ?? "")" }
            #expect(!messages.contains { message in secret.contains { message.contains($0) } })
            let folder = "\(fixture.folder.path)/state"
            for file in try FileManager.default.subpathsOfDirectory(atPath: folder) {
                let bytes = FileManager.default.contents(atPath: "\(folder)/\(file)") ?? Data()
                #expect(bytes.range(of: Data("271828".utf8)) == nil, "\(file)")
            }
        }
    }

    @Test func `requests that fail without pause cause at most 60 lines at once`() throws {
        try withFixture(Self.porch) { fixture in
            try await fixture.connection(of: "porch", "connected")
            try await fixture.request("bridge/attic/request/log", #"{"for":"1m"}"#)
            for number in 0..<200 { try fixture.ask("bridge/attic/request/nothing\(number)", "{}") }
            _ = try await fixture.response(to: "bridge/attic/request/nothing199")
            // This line follows those about the requests.
            try await fixture.direct { try $0.dropLink(of: "climate") }
            try await Self.line(fixture, of: "porch") { $0.hasPrefix("disconnected") }
            let lines = fixture.recorder.all(Self.topic).compactMap(\.json).filter {
                $0["message"]?.string?.hasPrefix("bluefleet/bridge/attic/request/nothing") == true
            }
            #expect((1...70).contains(lines.count))
        }
    }

    @Test func `one line reports the end of bluetoothd`() throws {
        try withFixture(Self.porch) { fixture in
            try await fixture.connection(of: "porch", "connected")
            try await fixture.request("bridge/attic/request/log", #"{"for":"1m"}"#)
            await fixture.stopSimulation()
            try await Self.line(fixture, of: "gateway") {
                $0 == "Bluetooth is not available: bluetoothd has stopped: 1 connection lost"
            }
            let connection = try await fixture.connection(of: "porch", "disconnected")
            #expect(connection["reason"] == "bluetoothd has stopped")
            let lines = fixture.recorder.all(Self.topic).compactMap(\.json).filter { $0["subject"] == "porch" }
            #expect(!lines.contains { $0["message"]?.string?.hasPrefix("disconnected") == true })
        }
    }

    @Test func `a request ends the publication`() throws {
        try withFixture(.climate("connect: always")) { fixture in
            try await fixture.request("bridge/attic/request/log", #"{"for":"0s"}"#)
            #expect(try await fixture.refusal("bridge/attic/request/log", #"{"for":"2h"}"#) == "bad_request")
        }
    }
}
