import Codec
import Configuration
import JSON
import System
import Testing

@testable import Devices

/// The rules of a conversation: order, attempts, silence, login, the end of a connection.
@Suite struct ConversationRuleTests {
    private typealias Piece = ConversationRun.Piece

    private func run(
        _ keys: String, pin: String? = nil, device: @escaping ([UInt8], Int) -> [String]
    ) throws -> ConversationRun {
        let lines = keys.split(separator: "\n").map { "    " + $0 }.joined(separator: "\n")
        let yaml = "devices:\n  d:\n    address: C0:00:00:00:00:01\n" + lines
        let settings = try Configuration(yaml: yaml).devices[0].settings
        let secrets = QuestionSecrets(pin: pin, cipher: try settings.cipher?.messageCipher())
        return ConversationRun(try #require(ConversationPlan(settings)), secrets) { bytes, count in
            let question = secrets.cipher.map { $0.decrypt(bytes) ?? [] } ?? bytes
            return device(question, count).map { answer in
                let bytes = [UInt8](hexadecimal: answer) ?? []
                // Bytes that are no whole blocks are sent as they are.
                return Piece(bytes: secrets.cipher?.encrypt(bytes) ?? bytes, from: "FFF1")
            }
        }
    }

    private func values(_ run: ConversationRun) -> [String] {
        run.delivered.map { delivery in
            let members = run.plan.items[delivery.item].format?.members(of: delivery.reading)
            return ([run.plan.items[delivery.item].name] + (members?.map { "\($0.value)" } ?? [])).joined(
                separator: " ")
        }
    }

    private func due(_ names: String..., in run: inout ConversationRun) throws {
        for name in names { run.handle(.due(try #require(run.plan.index(of: name)))) }
    }

    private static let two = """
        ask: {to: FFF2}
        answer: {from: FFF1}
        characteristics:
          a: {ask: "A0", answer: {starts_with: "A0", length: 2}, format: ["A0", {name: x, type: uint8}]}
          b: {ask: "B0", answer: {starts_with: "B0", length: 2}, format: ["B0", {name: x, type: uint8}]}
        """

    @Test func `questions are asked one at a time, in the order of the file, and none of them twice`() throws {
        var run = try run(Self.two) { bytes, _ in [bytes == [0xA0] ? "A001" : "B002"] }
        run.connect()
        try due("b", in: &run)
        try due("a", in: &run)
        try due("b", in: &run)
        run.run()
        #expect(run.written.map(\.hexadecimal) == ["b0", "a0"])
        #expect(values(run) == ["b 2", "a 1"])
    }

    // MARK: Ciphers

    private static let encrypted = """
        cipher: {aes: ecb, fixed_key: 000102030405060708090A0B0C0D0E0F}
        ask: {to: FFF2}
        answer: {from: FFF1}
        characteristics:
          a: {ask: A0000000000000000000000000000000, answer: {starts_with: "A0", length: 32}, format: ["A0", {name: x, type: uint8}, rest], valid: x < 9}
          b: {ask: {format: [B0, {name: t, type: utf8, value: pin}]}, answer: {starts_with: "B0"}}
        """
    private static let rest = String(repeating: "0", count: 28)

    @Test func `each message is encrypted by itself, before frames are found`() throws {
        // A notification that is not encrypted is no answer.
        var run = try run(Self.encrypted) { _, _ in ["A001", "A002" + Self.rest, String(repeating: "0", count: 32)] }
        run.connect()
        try due("a", in: &run)
        run.run()
        let questions = run.written.map { run.secrets.cipher?.decrypt($0)?.hexadecimal }
        #expect(questions == ["a0" + String(repeating: "0", count: 30)])
        #expect(values(run) == ["a 2"])
    }

    @Test func `a question that is no multiple of 16 bytes is not asked`() throws {
        var run = try run(Self.encrypted, pin: "0427") { _, _ in [] }
        run.connect()
        try due("b", in: &run)
        run.run()
        #expect(run.written.isEmpty)
        let reason = "ask: 5 bytes cannot be encrypted: the cipher needs a multiple of 16"
        #expect(run.reports.map(\.failure) == [.unaskable(reason)])
    }

    @Test func `the bytes of encrypted questions are not shown`() throws {
        let run = try run(Self.encrypted) { _, _ in [] }
        let secrecies = run.plan.items.indices.map { run.plan.secrecy(of: $0) }
        #expect(secrecies == [.encrypted, .containsPIN])
        let moment = Moment(Instant(nanoseconds: 0), Timestamp(milliseconds: 0), offset: 0)
        for preview in run.plan.previews(at: moment, hasPIN: true) {
            guard case .secret = preview.content else { Issue.record("\(preview)"); continue }
        }
    }

    @Test func `nothing is asked before the subscription, and all of it fails if it is impossible`() throws {
        var run = try run(Self.two) { _, _ in [] }
        run.handle(.connected(channels: [0], QuestionSecrets()))
        try due("a", in: &run)
        run.run(for: .seconds(60))
        #expect(run.written.isEmpty)
        run.handle(.subscriptionFailed(channel: 0, reason: "not supported"))
        #expect(run.written.isEmpty)
        #expect(
            run.reports.map(\.failure) == [.failed("cannot subscribe to the answers: not supported")])
        #expect(run.done == [0: false])
    }

    @Test func `a question without an answer is asked three times, with growing patience`() throws {
        var run = try run(Self.two) { _, _ in [] }
        run.connect()
        try due("a", in: &run)
        let start = run.now
        run.run(for: .seconds(11))
        #expect(run.written.count == 3)
        #expect(run.reports.isEmpty)
        run.run(for: .seconds(2))
        #expect(run.now - start == .seconds(13))
        #expect(run.reports.map(\.attempts) == [3])
        #expect(run.reports.map(\.failure) == [.timeout])
        #expect(run.done == [0: false])
    }

    @Test(
        arguments: [
            (["02A0A2"], "the bytes do not begin like the answer", "02a0a2"),
            (["A0", "05"], "the bytes are only the beginning of the answer", "a005"),
            (["A00001A4"], "the bytes do not have the length of the answer", "a00001a4"),
            (["A0040144EA"], "the bytes have a wrong checksum", "a0040144ea"),
            (["B1", "A00401"], "the bytes do not begin like the answer", "b1a00401"),
        ] as [([String], String, String)])
    func `bytes that are not the answer are reported with the difference`(
        sent: [String], reason: String, bytes: String
    ) throws {
        let keys = """
            ask: {to: FFF2}
            answer: {from: FFF1, starts_with: "A0", length: {at: 1, plus: 1}, checksum: sum}
            characteristics: {value: {ask: "A0", valid: size > 2, format: ["A0", {name: size, type: uint8}, rest]}}
            """
        var run = try run(keys) { _, _ in sent }
        run.connect()
        try due("value", in: &run)
        run.run()
        #expect(run.reports.map(\.failure) == [.unrecognized(reason, try #require([UInt8](hexadecimal: bytes)))])
        #expect(run.delivered.isEmpty)
    }

    @Test func `the first 64 bytes that are not the answer are reported`() throws {
        let keys = """
            ask: {to: FFF2}
            answer: {from: FFF1, starts_with: "A0", length: 2}
            characteristics: {value: {ask: "A0", valid: level > 0, format: ["A0", {name: level, type: uint8}]}}
            """
        let sent = Array(repeating: String(repeating: "B1", count: 20), count: 250)
        var run = try run(keys) { _, _ in sent }
        run.connect()
        try due("value", in: &run)
        run.run()
        #expect(run.reports.map(\.failure.bytes) == [Array(repeating: 0xB1, count: 64)])
    }

    @Test func `text without a line of the answer is reported`() throws {
        let keys = """
            ask: {to: FFF2}
            answer: {from: FFF1, ends_with: {text: ">"}, starts_with: "410C", digits: hex}
            characteristics: {value: {ask: {text: "010C"}, format: ["410C", {name: speed, type: uint16}]}}
            """
        var run = try run(keys) { _, _ in ["OK>".utf8.map { [$0].hexadecimal }.joined()] }
        run.connect()
        try due("value", in: &run)
        run.run()
        let reason = "no line of the text begins like the answer"
        #expect(run.reports.map(\.failure) == [.unrecognized(reason, Array("OK".utf8))])
    }

    @Test func `after five questions without one byte the connection ends`() throws {
        var run = try run(Self.two) { _, _ in [] }
        run.connect()
        try due("a", "b", in: &run)
        run.run()
        #expect(run.written.count == 5)
        #expect(run.endings == ["5 questions"])
        // A session without a further question would otherwise count as complete.
        #expect(run.doneAtEnding == [0: false])
        #expect(run.done == [0: false, 1: false])
    }

    @Test func `a late answer is not taken for that of the next question`() throws {
        let registers = """
            ask: {to: FFF2}
            answer: {from: FFF1, starts_with: "0302", length: 4}
            characteristics:
              a: {ask: "A0", format: ["0302", {name: x, type: uint16, endian: big}]}
              b: {ask: "B0", format: ["0302", {name: x, type: uint16, endian: big}]}
            """
        var run = try run(registers) { bytes, _ in [bytes == [0xA0] ? "03020001" : "03020002"] }
        // Each answer needs 3 s.
        run.delayAnswers(by: .seconds(3))
        run.connect()
        try due("a", "b", in: &run)
        run.run()
        #expect(values(run) == ["a 1", "b 2"])
    }

    @Test func `a refusal fails the question at once`() throws {
        let keys = """
            ask: {to: FFF2}
            answer: {from: FFF1, refused: "EE"}
            characteristics:
              a: {ask: "A0", answer: {starts_with: "A0"}, format: ["A0", {name: x, type: uint8}]}
            """
        var run = try run(keys) { _, _ in ["EE05"] }
        run.connect()
        try due("a", in: &run)
        run.run()
        #expect(run.written.count == 1)
        #expect(run.reports.map(\.failure) == [.refused([0xEE, 0x05])])
    }

    @Test func `an answer that is not valid is asked for again`() throws {
        let keys = """
            ask: {to: FFF2}
            answer: {from: FFF1}
            characteristics:
              a: {ask: "A0", valid: x < 100, format: ["A0", {name: x, type: uint8}]}
            """
        var run = try run(keys) { _, count in [count == 1 ? "A0FF" : "A005"] }
        run.connect()
        try due("a", in: &run)
        run.run()
        #expect(values(run) == ["a 5"])
        #expect(run.written.count == 2)
    }

    @Test func `an entry that a question needs is asked before it, once per session`() throws {
        let keys = """
            ask: {to: FFF2}
            answer: {from: FFF1}
            characteristics:
              cells:
                ask: "C0"
                answer: {frames: about.count, starts_with: "C0", join: {at: 1, length: 1}}
                format: [{name: volts, type: uint8, count: rest}]
              about: {ask: "10", answer: {starts_with: "10"}, format: ["10", {name: count, type: uint8}]}
            """
        var run = try run(keys) { bytes, _ in bytes == [0x10] ? ["1002"] : ["C001", "C002"] }
        run.connect()
        try due("cells", in: &run)
        run.run()
        try due("cells", in: &run)
        run.run()
        #expect(run.written.map(\.hexadecimal) == ["10", "c0", "c0"])
        #expect(values(run) == ["about 2", "cells [1,2]", "cells [1,2]"])
    }

    @Test func `a question whose condition is false is neither asked nor reported`() throws {
        let keys = """
            ask: {to: FFF2}
            answer: {from: FFF1}
            characteristics:
              about: {ask: "10", answer: {starts_with: "10"}, format: ["10", {name: version, type: uint8}]}
              new: {ask: {hex: "A0", when: about.version >= 11}, answer: {starts_with: "A0"}, format: ["A0", {name: x, type: uint8}]}
            """
        var run = try run(keys) { bytes, _ in bytes == [0x10] ? ["1003"] : ["A001"] }
        run.connect()
        try due("new", in: &run)
        run.run()
        #expect(run.written.map(\.hexadecimal) == ["10"])
        #expect(run.reports.isEmpty)
        #expect(run.done == [0: true, 1: false])
    }

    @Test func `frames that were not asked for are delivered if the entry is subscribed`() throws {
        let keys = """
            ask: {to: FFF2}
            answer: {from: FFF1}
            characteristics:
              a: {ask: "A0", answer: {starts_with: "A0"}, format: ["A0", {name: x, type: uint8}]}
              lines: {answer: {starts_with: "B0"}, subscribe: true, format: ["B0", {name: x, type: uint8}]}
            """
        var run = try run(keys) { _, _ in [] }
        run.connect()
        run.handle(.received([0xB0, 7], channel: 0))
        run.handle(.received([0xA0, 8], channel: 0))
        #expect(values(run) == ["lines 7"])
        #expect(run.delivered.map(\.isAsked) == [false])
    }

    @Test func `a subscribed entry needs no start for frames that were not asked for`() throws {
        let keys = """
            ask: {to: FFF2}
            answer: {from: FFF1}
            characteristics:
              a: {ask: "A0", subscribe: true, format: [{name: x, type: uint8}]}
            """
        var run = try run(keys) { _, _ in ["08"] }
        run.connect()
        run.handle(.received([7], channel: 0))
        try due("a", in: &run)
        run.run()
        #expect(values(run) == ["a 7", "a 8"])
        #expect(run.delivered.map(\.isAsked) == [false, true])
    }

    @Test func `a date and time of another entry is a number of seconds in a question`() throws {
        let keys = """
            ask: {to: FFF2}
            answer: {from: FFF1}
            characteristics:
              start: {ask: "10", answer: {starts_with: "10"}, format: ["10", {name: begin, type: date_time}]}
              minutes:
                ask: {format: ["20", {name: minute, type: uint16, endian: big, value: "floor(start.begin / 60) & 0xFFFF"}]}
                answer: {starts_with: "20"}
                format: ["20", {name: x, type: uint8}]
            """
        // 1970-01-02T01:02:03 is 1502 minutes and 3 seconds after 1970-01-01.
        var run = try run(keys) { bytes, _ in bytes == [0x10] ? ["10b2070102010203"] : ["2001"] }
        run.connect()
        try due("minutes", in: &run)
        run.run()
        #expect(run.written.map(\.hexadecimal) == ["10", "2005de"])
    }

    // MARK: The login

    private static let login = """
        ask: {to: FFF2}
        answer: {from: FFF1}
        first:
          - {ask: {hex: "01"}, answer: {starts_with: "0100", length: 2, refused: "01FF"}}
          - {ask: {hex: "02"}, every: 10s}
        characteristics:
          a: {ask: "A0", answer: {starts_with: "A0"}, format: ["A0", {name: x, type: uint8}]}
        """

    @Test func `first questions precede all others, and are repeated at their interval`() throws {
        var run = try run(Self.login) { bytes, _ in bytes == [1] ? ["0100"] : bytes == [0xA0] ? ["A001"] : [] }
        try due("a", in: &run)
        run.connect()
        try due("a", in: &run)
        run.run(for: .seconds(25))
        #expect(run.written.map(\.hexadecimal) == ["01", "02", "a0", "02", "02"])
    }

    @Test func `a refused login ends the connection, and the next one logs in again`() throws {
        var run = try run(Self.login) { bytes, count in bytes == [1] ? [count == 1 ? "01FF" : "0100"] : [] }
        run.connect()
        try due("a", in: &run)
        run.run()
        #expect(run.endings == ["first 1: the device refused the question"])
        #expect(run.written.map(\.hexadecimal) == ["01"])
        run.connect()
        run.run(for: .seconds(1))
        #expect(run.written.map(\.hexadecimal) == ["01", "01", "02"])
    }

    // MARK: Requests

    @Test func `a client is answered, also if the connection ends`() throws {
        var run = try run(Self.two) { bytes, _ in bytes == [0xA0] ? ["A001"] : [] }
        run.connect()
        run.handle(.requested(1, item: 0, nil))
        run.handle(.requested(2, item: 1, nil))
        run.run(for: .seconds(1))
        #expect(
            run.responses[1]
                == .success(QuestionAnswer(item: 0, reading: .fields([.init(name: "x", value: 1)]), bytes: [0xA0, 1])))
        #expect(run.responses[2] == nil)
        run.handle(.ended)
        #expect(run.responses[2] == .failure(.interrupted))
        run.handle(.requested(3, item: 0, nil))
        #expect(run.responses[3] == .failure(.interrupted))
    }

    @Test func `a command is written once, and its value must fit the question`() throws {
        let keys = """
            ask: {to: FFF2}
            answer: {from: FFF1}
            characteristics:
              target:
                write: true
                ask: {format: ["41", {name: target, type: uint8, scale: 0.5}]}
                answer: {starts_with: "02"}
            """
        var run = try run(keys) { _, _ in [] }
        run.connect()
        run.handle(.requested(1, item: 0, 21.5))
        run.run()
        #expect(run.written.map(\.hexadecimal) == ["412b"])
        #expect(run.responses[1] == .failure(.timeout))
        run.handle(.requested(2, item: 0, 999))
        run.run()
        #expect(run.written.count == 1)
        guard case .failure(.wrongValue)? = run.responses[2] else {
            Issue.record("\(String(describing: run.responses[2]))")
            return
        }
    }
}
