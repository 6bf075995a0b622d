import Codec
import Configuration
import JSON
import System
import Testing

@testable import Devices

/// Questions that are asked once for each number, and histories.
@Suite struct ConversationHistoryTests {
    private typealias Piece = ConversationRun.Piece

    private func plan(_ keys: String) throws -> ConversationPlan {
        let lines = keys.split(separator: "\n").map { "    " + $0 }.joined(separator: "\n")
        let yaml = "devices:\n  d:\n    address: C0:00:00:00:00:01\n" + lines
        return try #require(ConversationPlan(Configuration(yaml: yaml).devices[0].settings))
    }

    private func due(_ name: String, in run: inout ConversationRun) throws {
        run.handle(.due(try #require(run.plan.index(of: name))))
        run.run()
    }

    // MARK: Each

    private static let slots = """
        ask: {to: FFF2}
        answer: {from: FFF1}
        characteristics:
          count: {read: never, ask: "C0", answer: {starts_with: "C0", length: 2}, format: ["C0", {name: slots, type: uint8}]}
          slot:
            ask: {each: {number: [1, count.slots]}, format: ["A0", {name: slot, type: uint8, value: number}]}
            answer: {starts_with: [0xA0, number], length: 3}
            valid: x < 9
            format: ["A0??", {name: x, type: uint8}]
          other: {ask: "B0", answer: {starts_with: "B0", length: 2}, format: ["B0", {name: x, type: uint8}]}
        """

    private func slots(_ count: UInt8, silent: UInt8 = 0) throws -> ConversationRun {
        ConversationRun(try plan(Self.slots)) { bytes, attempt in
            let answer: [UInt8]
            switch bytes[0] {
            case 0xC0: answer = [0xC0, count]
            case 0xA0 where bytes[1] == silent: return []
            case 0xA0: answer = [0xA0, bytes[1], bytes[1] + 2]
            default: answer = [0xB0, 7]
            }
            return [Piece(bytes: answer, from: "FFF1")]
        }
    }

    @Test func `a question with each is asked once for each number`() throws {
        var run = try slots(3)
        run.connect()
        try due("slot", in: &run)
        #expect(run.written.map(\.hexadecimal) == ["c0", "a001", "a002", "a003"])
        #expect(run.numbers == [nil, 1, 2, 3])
        #expect(run.delivered.suffix(3).map { $0.reading[field: "x"] } == [3, 4, 5])
        #expect(run.done[1] == true)
    }

    @Test func `a question with each is not asked without a number`() throws {
        var run = try slots(0)
        run.connect()
        try due("slot", in: &run)
        #expect(run.written.map(\.hexadecimal) == ["c0"])
        #expect(run.done[1] == true)
    }

    @Test func `a question with each is not asked for more than 64 numbers`() throws {
        var run = try slots(65)
        run.connect()
        try due("slot", in: &run)
        #expect(run.written.map(\.hexadecimal) == ["c0"])
        let reason = "each: 65 numbers, but at most 64 are asked for"
        #expect(run.reports.map(\.failure) == [.unaskable(reason)])
    }

    @Test func `a number without an answer ends the series`() throws {
        var run = try slots(3, silent: 2)
        run.connect()
        try due("slot", in: &run)
        #expect(run.numbers == [nil, 1])
        #expect(run.reports.map(\.failure) == [.timeout])
        #expect(run.done[1] == false)
    }

    @Test func `a request goes before the rest of a series`() throws {
        var run = try slots(3)
        run.connect()
        run.handle(.due(1))
        run.run(for: .milliseconds(45))
        run.handle(.requested(5, item: 2, nil))
        run.run()
        #expect(run.written.map(\.hexadecimal) == ["c0", "a001", "a002", "b0", "a003"])
        #expect(run.responses.count == 1 && run.done[1] == true)
    }

    // MARK: Histories

    private static let flowerCare = """
        connect: every 1h
        ask: {service: 1206, to: 1A10}
        answer: {service: 1206, from: 1A11, by: read}
        characteristics:
          memory: {read: never, ask: "A00000", format: [{name: entries, type: uint16}, rest]}
          uptime: {read: never, service: 1206, uuid: 1A12, format: [{name: seconds, type: uint32}]}
          log:
            ask: {each: {number: [0, memory.entries - 1]}, format: ["A1", {name: index, type: uint16, value: number}]}
            history: {as: plant, time: uptime.received - uptime.seconds + seconds, step: 1h}
            valid: moisture <= 100
            format:
              - {name: seconds, type: uint32, hidden: true}
              - {name: temperature, type: sint16, scale: 0.1, unit: "°C"}
              - "??"
              - {name: light, type: uint32, unit: lx}
              - {name: moisture, type: uint8, unit: "%"}
              - {name: conductivity, type: uint16, unit: "µS/cm"}
              - rest
          plant: {ask: A01F, read: never}
        """
    private static let now: Int64 = 1_700_000_000

    /// A plant sensor that has been running for 2,158,345 s and has these entries, the newest one first.
    private func flowerCare(_ entries: [String], since: Int64?) throws -> ConversationRun {
        let memory = HistoryMemory(since: since)
        return ConversationRun(
            try plan(Self.flowerCare), time: Timestamp(milliseconds: Self.now * 1000), memories: ["log": memory],
            values: ["uptime": [0x09, 0xEF, 0x20, 0x00]]
        ) { bytes, _ in
            let answer =
                bytes.first == 0xA0
                ? "0\(entries.count)007b04000000000000000000000000" : entries[Int(bytes[1])]
            return [Piece(bytes: [UInt8](hexadecimal: answer) ?? [], from: "1A11")]
        }
    }

    private static let entries = [
        // The first entry is published by WatchFlower; the others are constructed.
        "70e72000eb00005a00000015b3000000", "60d92000eb00005a00000016b3000000", "50cb2000eb00005a00000017b3000000",
        "40bd2000eb00005a00000018b3000000",
    ]

    @Test func `the entries of a memory are published with their times, up to the newest known one`() throws {
        let newest = Self.now - 2_158_345 + 0x20E770
        var run = try flowerCare(Self.entries, since: newest - 2 * 3600)
        run.connect()
        try due("log", in: &run)
        #expect(run.records.map(\.time) == [newest, newest - 3600])
        #expect(run.records.first?.reading.value.member("temperature") == 23.5)
        #expect(run.records.map { $0.reading.value.member("moisture") } == [21, 22])
        #expect(run.written.last == [0xA1, 2, 0])
        #expect(run.done[2] == true)
        #expect(run.conversation.memories["log"]?.since == newest)
        // The values are only for the history.
        #expect(run.delivered.allSatisfy { run.plan.items[$0.item].name != "log" })
    }

    @Test func `a history is not asked for without a gap, except by a request`() throws {
        var run = try flowerCare(Self.entries, since: Self.now - 60)
        run.connect()
        try due("log", in: &run)
        #expect(run.written.isEmpty && run.done == [2: true])
        run.handle(.requested(1, item: 2, nil))
        run.run()
        #expect(run.written.map(\.hexadecimal).contains("a10000"))
        #expect((try? run.responses[1]?.get())?.records == 0)
    }

    @Test func `an invalid entry of a memory is left out`() throws {
        var entries = Self.entries
        entries[1] = "60d92000eb00005a000000ffb3000000"
        var run = try flowerCare(entries, since: nil)
        run.connect()
        try due("log", in: &run)
        #expect(run.records.map { $0.reading.value.member("moisture") } == [21, 23, 24])
    }

    private static let ruuvi = """
        connect: on demand
        characteristics:
          log:
            ask: {to: FFF2, format: ["3A3A11", {name: now, type: uint32, endian: big, value: now}, {name: from, type: uint32, endian: big, value: since}]}
            answer:
              from: FFF1
              starts_with: "3A3010|3A3110|3A3210"
              length: 11
              until: {starts_with: "3A3A10FFFFFFFFFFFFFFFF", length: 11}
              within: 30s
            history: {as: advertisement, time: recorded}
            format:
              - "3A"
              - {name: kind, type: uint8, hidden: true}
              - "10"
              - {name: recorded, type: uint32, endian: big, hidden: true}
              - {name: temperature, type: sint32, endian: big, scale: 0.01, when: kind = 0x30}
              - {name: humidity, type: uint32, endian: big, scale: 0.01, when: kind = 0x31}
              - {name: pressure, type: uint32, endian: big, scale: 0.01, when: kind = 0x32}
          other: {ask: {to: FFF2, hex: B0}, answer: {from: FFF1, starts_with: "B0", length: 2}}
        """
    /// Recorded by Ruuvi, except the fourth record; a heartbeat comes first.
    private static let log = [
        "0510c6000000000000000000000000000000", "3a30105dc134620000085b", "3a31105dc13462000010a3",
        "3a32105dc1346200018489", "3a30105dc1359200000860", "3a3a10ffffffffffffffff",
    ]

    private func ruuvi(_ frames: [String], since: Int64 = 1_572_900_000) throws -> ConversationRun {
        let memory = HistoryMemory(since: since)
        return ConversationRun(
            try plan(Self.ruuvi), time: Timestamp(milliseconds: 1_572_949_078_000), memories: ["log": memory]
        ) { bytes, _ in
            let frames = bytes == [0xB0] ? ["b007"] : frames
            return frames.map { Piece(bytes: [UInt8](hexadecimal: $0) ?? [], from: "FFF1", after: .milliseconds(200)) }
        }
    }

    @Test func `records that belong together are one reading, published as they arrive`() throws {
        var run = try ruuvi(Self.log)
        run.connect()
        try due("log", in: &run)
        #expect(run.written.map(\.hexadecimal) == ["3a3a115dc14c565dc08ca0"])
        #expect(run.records.map(\.time) == [1_572_942_946, 1_572_943_250])
        #expect(run.records[0].reading.value == ["temperature": 21.39, "humidity": 42.59, "pressure": 994.65])
        #expect(run.records[1].reading.value == ["temperature": 21.44])
        #expect(run.conversation.memories["log"]?.since == 1_572_943_250)
        #expect(run.done == [0: true])
    }

    @Test func `a history that is cut off goes on after the published records`() throws {
        var run = try ruuvi(Array(Self.log.prefix(5)))
        run.connect()
        run.handle(.due(0))
        run.run(for: .seconds(2))
        run.handle(.ended)
        #expect(run.records.map(\.time) == [1_572_942_946])
        #expect(run.conversation.memories["log"]?.since == 1_572_942_946)
    }

    @Test func `a request interrupts a history at the next frame`() throws {
        var run = try ruuvi(Self.log)
        run.connect()
        run.handle(.due(0))
        run.run(for: .milliseconds(500))
        run.handle(.requested(1, item: 1, nil))
        run.run(for: .seconds(1))
        run.run()
        #expect(run.written.count >= 3)
        #expect(run.written[1] == [0xB0])
        #expect((try? run.responses[1]?.get()) != nil)
        #expect(run.records.map(\.time).last == 1_572_943_250)
        #expect(run.done == [0: true])
    }

    private static let glucose = """
        characteristics:
          glucose:
            ask: {service: 1808, to: 2A52, format: ["010301", {name: sequence, type: uint16, value: last.sequence_number}]}
            answer:
              from: 2A18
              until: {from: 2A52, starts_with: "06000101|06000106"}
              refused: {from: 2A52, starts_with: "060001"}
              within: 30s
            history: {time: base_time + time_offset * 60}
        """

    private func glucose(_ answers: (String, String)...) throws -> ConversationRun {
        let memory = HistoryMemory(since: 1_586_700_000, last: ["sequence_number": 5])
        return ConversationRun(
            try plan(Self.glucose), time: Timestamp(milliseconds: 1_586_800_000_000), memories: ["glucose": memory]
        ) { _, _ in answers.map { Piece(bytes: [UInt8](hexadecimal: $0.1) ?? [], from: $0.0) } }
    }

    @Test func `a glucose meter is asked for the records after the last known one`() throws {
        var run = try glucose(("2A18", "030600e407040d10260af0ff78b0f1"), ("2A52", "06000101"))
        run.connect()
        try due("glucose", in: &run)
        #expect(run.written.map(\.hexadecimal) == ["0103010500"])
        #expect(run.conversation.memories["glucose"]?.last["sequence_number"] == 6)
    }

    @Test func `the time of a record includes the offset of the clock`() throws {
        var run = try glucose(("2A18", "030600e407040d10260af0ff78b0f1"), ("2A52", "06000101"))
        run.connect()
        try due("glucose", in: &run)
        // 16 minutes before the base time.
        #expect(run.records.map(\.time) == [1_586_795_890 - 960])
    }

    @Test func `a history without new records is answered`() throws {
        var run = try glucose(("2A52", "06000106"))
        run.connect()
        try due("glucose", in: &run)
        #expect(run.records.isEmpty && run.done == [0: true])
        #expect(run.conversation.memories["glucose"]?.last["sequence_number"] == 5)
    }

    @Test func `a refused history fails`() throws {
        var run = try glucose(("2A52", "06000102"))
        run.connect()
        try due("glucose", in: &run)
        #expect(run.done == [0: false])
    }
}
