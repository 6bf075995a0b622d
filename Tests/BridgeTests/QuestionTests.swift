import EventLoop
import JSON
import Simulator
import System
import TestSupport
import TestTraits
import Testing

@testable import Contract

/// Devices that answer when asked, from the question to the message of the broker.
@Suite(.ownThreads) struct QuestionTests {
    /// Returns a fleet with one peripheral, whose characteristics are given, and a device with these keys.
    private static func scenario(_ service: String, _ characteristics: String, _ keys: String) -> Scenario {
        let fleet = """
            peripherals:
              asked:
                address: C0:00:00:00:00:01
                advertise: {every: 5ms}
                pace: \(Scenario.hurry)
                services:
                  - uuid: \(service)
                    characteristics:
            \(characteristics.indented(by: 10))
            """
        return Scenario(
            fleet: fleet, "devices:\n  asked:\n    address: C0:00:00:00:00:01\n" + keys.indented(by: 4))
    }

    // MARK: Devices

    private static func battery(_ answers: String, _ keys: String = "") -> Scenario {
        scenario(
            "FF00",
            """
            - {uuid: FF01, flags: [notify]}
            - uuid: FF02
              flags: [write-without-response]
              answers:
            \(answers.indented(by: 4))
            """,
            """
            connect: every 1h
            endian: big
            ask:
              service: FF00
              to: FF02
              response: false
              format: ["DDA5", {name: command, type: uint8}, "00", {name: sum, type: uint16, checksum: negative_sum, from: 2}, "77"]
            answer:
              from: FF01
              within: 200ms
              starts_with: [0xDD, command, 0]
              length: {at: 3, plus: 7}
              checksum: {type: negative_sum, from: 2, bytes: 2, endian: big}
              ends_with: "77"
              refused: [0xDD, command, 0x80]
            \(keys)
            characteristics:
              cells:
                ask: {value: {command: 4}}
                format: ["DD0400", {name: size, type: uint8, hidden: true}, {name: voltages, type: uint16, scale: 0.001, unit: V, count: rest}]
              hardware: {ask: {value: {command: 5}}, format: ["DD0500", {name: size, type: uint8, hidden: true}, {name: name, type: utf8}]}
            """)
    }

    private static let cells =
        "- {ask: DDA50400FFFC77, on: FF01, cut: 8, send: \"DD0400080D660D610D680D59FE3C77\""
    private static let hardware =
        "- {ask: DDA50500FFFB77, on: FF01, cut: 20, send: \"DD05000A30313233343536373839FDE977\"}"

    @Test func `a battery monitor is asked after the subscription, and its values are published`() throws {
        try withFixture(Self.battery(Self.cells + "}\n" + Self.hardware)) { fixture in
            #expect(
                try await fixture.recorder.next("bluefleet/asked/cells")["voltages"]?.description
                    == "[3.43,3.425,3.432,3.417]")
            #expect(try await fixture.recorder.next("bluefleet/asked/hardware")["name"] == "0123456789")
            try await fixture.event("disconnected", of: "asked")
            #expect(
                try await fixture.events(of: "asked") == [
                    "connected", "subscribed FF01", "command FF02 dda50400fffc77", "command FF02 dda50500fffb77",
                    "unsubscribed FF01", "disconnected",
                ])
        }
    }

    @Test(arguments: ["silent", "cut", "flipped", "foreign", "late"])
    func `a question is repeated after a fault`(fault: String) throws {
        let answers = Self.hardware + "\n" + Self.cells + ", times: 1, faults: [\(fault)]}\n" + Self.cells + "}"
        try withFixture(Self.battery(answers)) { fixture in
            let reading = try await fixture.recorder.next("bluefleet/asked/cells")
            #expect(reading["voltages"]?.description == "[3.43,3.425,3.432,3.417]")
            try await fixture.event("command FF02 dda50400fffc77", of: "asked", times: 2)
        }
    }

    @Test(arguments: ["twice", "mixed"])
    func `an answer is found among other frames`(fault: String) throws {
        let answers = Self.cells + ", faults: [\(fault)]}\n" + Self.hardware
        try withFixture(Self.battery(answers)) { fixture in
            let hardware = try await fixture.recorder.next("bluefleet/asked/hardware")
            #expect(hardware["name"] == "0123456789")
            for reading in fixture.recorder.all("bluefleet/asked/cells") {
                #expect(reading.json?["voltages"]?.description == "[3.43,3.425,3.432,3.417]")
            }
        }
    }

    @Test func `a refused question is reported, and does not hold up the session`() throws {
        let refused = "- {ask: DDA50400FFFC77, on: FF01, send: \"DD048000FF8077\"}\n"
        try withFixture(Self.battery(refused + Self.hardware)) { fixture in
            #expect(try await fixture.recorder.next("bluefleet/asked/hardware")["name"] == "0123456789")
            let event = try await fixture.recorder.next("bluefleet/bridge/attic/event") {
                $0["type"] == "answer_failed"
            }
            #expect(event["characteristic"] == "cells")
            #expect(event["hex"] == "dd048000")
            #expect(event["attempts"] == 1)
            try await fixture.event("disconnected", of: "asked")
        }
    }

    @Test func `a device that never answers is reported, and connected again later`() throws {
        try withFixture(Self.battery("[]")) { fixture in
            let event = try await fixture.recorder.next("bluefleet/bridge/attic/event") { $0["type"] == "no_answer" }
            #expect(event["questions"] == 5)
            try await fixture.recorder.next("bluefleet/asked/connection") {
                $0["reason"] == "the device did not answer 5 questions in a row"
            }
        }
    }

    @Test func `a client asks with get and read, and gets the reason without an answer`() throws {
        let refused = "- {ask: DDA50400FFFC77, on: FF01, send: \"DD048000FF8077\"}\n"
        let scenario = Self.battery(refused + Self.hardware, "hold: 1h").with { scenario in
            scenario.configuration.replace("connect: every 1h", with: "connect: on demand")
        }
        try withFixture(scenario) { fixture in
            let response = try await fixture.request("asked/hardware/get")
            #expect(response["status"] == "ok")
            #expect(response["data"]?["name"] == "0123456789")
            let failure = try await fixture.request("asked/request/read", #"{"characteristic": "cells"}"#)
            #expect(failure["error"]?["code"] == "refused")
            #expect(failure["data"]?["hex"] == "dd048000")
            let event = try await fixture.request("asked/request/subscribe", #"{"characteristic": "cells"}"#)
            #expect(event["error"]?["code"] == "not_supported")
        }
    }

    @Test func `a refused login ends the connection`() throws {
        let keys = """
            first:
              - ask: {format: ["FFAA1506", {name: pin, type: utf8, value: pin}]}
                answer: {starts_with: "FFAA150100", length: 6, refused: "FFAA1501"}
            """
        let answers = "- {ask: FFAA1506313233343536, on: FF01, send: FFAA15010117}\n" + Self.cells + "}"
        try withFixture(Self.battery(answers, keys).with { $0.hasGateway = false }) { fixture in
            let path = try fixture.folder.write("123456\n", to: "pin")
            try await fixture.startGateway(Self.battery(answers, keys + "\npin_file: \(path)").configuration)
            let event = try await fixture.recorder.next("bluefleet/bridge/attic/event") {
                $0["type"] == "login_refused"
            }
            #expect(event["reason"]?.string?.contains("123456") == false)
            try await fixture.event("disconnected", of: "asked")
            let events = try await fixture.events(of: "asked")
            #expect(!events.contains { $0.contains("dda504") })
        }
    }

    @Test func `a device is not connected while the file with its PIN cannot be read`() throws {
        let scenario = Self.battery(Self.cells + "}").with { $0.hasGateway = false }
        try withFixture(scenario) { fixture in
            let path = fixture.folder.path + "/pin"
            try await fixture.startGateway(Self.battery(Self.cells + "}", "pin_file: \(path)").configuration)
            let status = try await fixture.recorder.next("bluefleet/asked/connection") { $0["attempts"] == 1 }
            #expect(status["reason"]?.string?.contains("cannot read a secret") == true, "\(status)")
            #expect(try await fixture.events(of: "asked").isEmpty)
            try fixture.folder.write("123456\n", to: "pin")
            _ = try await fixture.recorder.next("bluefleet/asked/cells")
        }
    }

    /// A battery monitor whose messages are encrypted (BM6), with this answer to its question.
    private static func monitor(_ answer: String) -> Scenario {
        scenario(
            "FFF0",
            """
            - {uuid: FFF4, flags: [notify]}
            - {uuid: FFF3, flags: [write], answers: [{ask: "697ea0b5d54cf024e794772355554114", on: FFF4, send: "\(answer)"}]}
            """,
            """
            connect: every 1h
            cipher: {aes: cbc, fixed_key: 6C656167656E64FFFE30313030303039}
            characteristics:
              battery:
                ask: {to: FFF3, attempts: 1, hex: D1550700000000000000000000000000}
                answer: {from: FFF4, starts_with: D155, refused: D155FF, within: 200ms}
                format: ["D15507", {name: battery, at: 6, type: uint8, unit: "%"}]
            """)
    }

    @Test func `an encrypted question is asked, and its answer is decrypted`() throws {
        try withFixture(Self.monitor("d0b4c319710a489389e06c9d1746a808")) { fixture in
            let reading = try await fixture.recorder.next("bluefleet/asked/battery")
            #expect(reading["battery"] == 100)
        }
    }

    @Test func `the bytes of an encrypted answer are not shown`() throws {
        try withFixture(Self.monitor("1e95c9f53b25c5b19f38c3aa998af433")) { fixture in
            let event = try await fixture.recorder.next("bluefleet/bridge/attic/event") {
                $0["type"] == "answer_failed"
            }
            #expect(event["hex"] == "(secret)")
        }
    }

    @Test func `Modbus registers are read`() throws {
        let scenario = Self.scenario(
            "FFF0",
            """
            - {uuid: FFF1, flags: [notify]}
            - {uuid: FFD1, flags: [write], answers: [{ask: FF0301000007102A, on: FFF1, cut: 5, send: "FF030E0064008500001010007A000000003168"}]}
            """,
            """
            connect: every 1h
            endian: big
            ask:
              to: FFD1
              format:
                - {name: unit, type: uint8, value: 255}
                - {name: function, type: uint8, value: 3}
                - {name: register, type: uint16}
                - {name: count, type: uint16}
                - {name: crc, type: uint16, endian: little, checksum: crc16_modbus}
            answer:
              from: FFF1
              starts_with: [unit, function, count * 2]
              length: count * 2 + 5
              checksum: crc16_modbus
              refused: {starts_with: [unit, function + 128], length: 5}
            characteristics:
              charger:
                ask: {value: {register: 256, count: 7}}
                format: ["FF030E", {name: battery, type: uint16, unit: "%"}, {name: voltage, type: uint16, scale: 0.1, unit: V}, rest]
            """)
        try withFixture(scenario) { fixture in
            let reading = try await fixture.recorder.next("bluefleet/asked/charger")
            #expect(reading["battery"] == 100)
            #expect(reading["voltage"]?.description == "13.3")
        }
    }

    @Test func `an answer of several frames is joined, and their number comes from another answer`() throws {
        let scenario = Self.scenario(
            "FFF0",
            """
            - {uuid: FFF1, flags: [notify]}
            - uuid: FFF2
              flags: [write]
              answers:
                - {ask: A58094080000000000000000C1, on: FFF1, send: A501940804010000020035DC5A}
                - {ask: A58095080000000000000000C2, on: FFF1, send: [A5019508010C890C860C89D3D3, A5019508020C8A0000000000DB]}
            """,
            """
            connect: every 1h
            until: [cells]
            endian: big
            ask: {to: FFF2, format: ["A580", {name: command, type: uint8}, "080000000000000000", {name: sum, type: uint8, checksum: sum}]}
            answer: {from: FFF1, starts_with: [0xA5, 1, command, 8], length: 13, checksum: sum, within: 200ms}
            characteristics:
              cells:
                ask: {value: {command: 0x95}}
                answer: {frames: ceil(status.cells / 3), sequence: {at: 4, first: 1}, join: {at: 5, length: 6}}
                format: [{name: voltages, type: uint16, scale: 0.001, unit: V, count: status.cells}, rest]
              status: {ask: {value: {command: 0x94}}, format: ["A5019408", {name: cells, type: uint8}, rest]}
            """)
        try withFixture(scenario) { fixture in
            let reading = try await fixture.recorder.next("bluefleet/asked/cells")
            #expect(reading["voltages"]?.description == "[3.209,3.206,3.209,3.21]")
        }
    }

    @Test func `a command is answered by the status of the device`() throws {
        let scenario = Self.scenario(
            "FFF0",
            """
            - {uuid: FFF1, flags: [notify]}
            - uuid: FFF2
              flags: [write]
              answers:
                - {ask: "03????????????", on: FFF1, send: "0201000004{2}"}
                - {ask: "41??", on: FFF1, send: "0201000004{1}"}
            """,
            """
            connect: on demand
            hold: 1h
            ask: {to: FFF2}
            answer: {from: FFF1}
            characteristics:
              status:
                subscribe: true
                read: never
                ask: {format: ["03", {name: year, type: uint8, value: local.year - 2000}, {name: month, type: uint8, value: local.month}, {name: day, type: uint8, value: local.day}, {name: hour, type: uint8, value: local.hour}, {name: minute, type: uint8, value: local.minute}, {name: second, type: uint8, value: local.second}]}
                answer: {starts_with: "0201"}
                format: ["0201", "????04", {name: target, type: uint8, scale: 0.5, unit: "°C"}]
              target: {write: true, ask: {format: ["41", {name: target, type: uint8, scale: 0.5, unit: "°C"}]}, answer: status}
            """)
        try withFixture(scenario) { fixture in
            for payload in ["21.5", #"{"target": 21.5}"#] {
                let response = try await fixture.request("asked/target/set", payload)
                #expect(response["status"] == "ok")
                #expect(response["data"]?["answer"]?["target"]?.description == "21.5")
                #expect(try await fixture.recorder.next("bluefleet/asked/status")["target"]?.description == "21.5")
            }
            let wrong = try await fixture.request("asked/target/set", "999")
            #expect(wrong["error"]?["code"] == "invalid_value")
            let read = try await fixture.request("asked/request/read", #"{"characteristic": "status"}"#)
            #expect(read["status"] == "ok")
        }
    }

    @Test func `a command fails with disconnected if the connection ends before its answer`() throws {
        let scenario = Self.scenario(
            "FFF0", "- {uuid: FFF1, flags: [notify]}\n- {uuid: FFF2, flags: [write]}",
            """
            connect: on demand
            hold: 1h
            ask: {to: FFF2}
            answer: {from: FFF1, within: 60s}
            characteristics:
              target: {write: true, ask: {format: ["41", {name: target, type: uint8}]}, answer: {starts_with: "02"}}
            """)
        try withFixture(scenario) { fixture in
            try fixture.ask("asked/target/set", "7")
            try await fixture.event("write FFF2 4107", of: "asked")
            try await fixture.direct { try $0.dropLink(of: "asked") }
            #expect(try await fixture.response(to: "asked/target/set")["error"]?["code"] == "disconnected")
        }
    }

    @Test func `a text device is asked at an interval after its login`() throws {
        let scenario = Self.scenario(
            "FFF0",
            """
            - {uuid: FFF1, flags: [notify]}
            - uuid: FFF2
              flags: [write]
              answers:
                - {ask: 41545A0D, on: FFF1, send: 454C4D3332370D3E}
                - {ask: 303130430D, on: FFF1, cut: 3, send: 5345415243480D3431304331414638200D0D3E}
            """,
            """
            connect: always
            ask: {to: FFF2}
            answer: {from: FFF1, ends_with: {text: ">"}}
            first: [{ask: {text: "ATZ\\r"}, answer: {ends_with: {text: ">"}}}]
            characteristics:
              engine_speed:
                read: 100ms
                publish: {on_change: false}
                ask: {text: "010C\\r"}
                answer: {digits: hex, starts_with: "410C", refused: {text: "NO DATA|UNABLE|?"}}
                format: ["410C", {name: engine_speed, type: uint16, endian: big, scale: 0.25, unit: rpm}, rest]
            """)
        try withFixture(scenario) { fixture in
            for _ in 1...3 {
                let reading = try await fixture.recorder.next("bluefleet/asked/engine_speed")
                #expect(reading["engine_speed"] == 1726)
            }
            #expect(try await fixture.events(of: "asked").count { $0 == "write FFF2 41545a0d" } == 1)
        }
    }
}
