import System

/// One entry of a journal: the clock of the next records, or a record.
///
/// A frame in the file consists of a mark, the length of its contents, a checksum of the contents, and the contents.
enum JournalFrame {
    case clock(ClockReading)
    case record(SpoolRecord)

    /// The first bytes of a frame: "BlFj".
    static let mark: [UInt8] = [0x42, 0x6C, 0x46, 0x6A]
    /// The size of a frame without its contents, in bytes.
    static let headerSize = 12
    /// The maximum length of the contents of a frame, in bytes.
    static let longest = 1 << 20

    /// The bytes of the frame; nil if it would be too long.
    var bytes: [UInt8]? {
        var contents = JournalWriter()
        switch self {
        case .clock(let clock):
            contents.add(0)
            contents.add(Array(clock.boot.utf8))
            contents.add(clock.time.milliseconds)
            contents.add(clock.moment.nanoseconds)
            contents.add(clock.isSynchronized ? 1 : 0)
        case .record(let record):
            contents.add(record.stamp == nil ? 1 : 2)
            contents.add(Array(record.broker.utf8))
            contents.add(Array(record.topic.utf8))
            contents.add(record.payload)
            contents.add(record.isBare ? 1 : 0)
            contents.add(record.time.milliseconds)
            contents.add(record.moment.nanoseconds)
            if let stamp = record.stamp { contents.add(Array(stamp.utf8)) }
        }
        guard contents.bytes.count <= Self.longest else { return nil }
        var frame = JournalWriter(Self.mark)
        frame.addShort(contents.bytes.count)
        frame.addShort(Int(Self.checksum(contents.bytes[...])))
        return frame.bytes + contents.bytes
    }

    /// Parses the contents of a frame; nil if they are damaged.
    init?(_ contents: ArraySlice<UInt8>) {
        var reader = JournalReader(contents)
        let kind = reader.number()
        if kind == 0 {
            guard let boot = reader.text(), let time = reader.number(), let moment = reader.number(),
                let isSynchronized = reader.number()
            else { return nil }
            self = .clock(
                ClockReading(
                    boot: boot, time: Timestamp(possible: time), moment: Instant(nanoseconds: moment),
                    isSynchronized: isSynchronized != 0))
        } else {
            guard kind == 1 || kind == 2, let broker = reader.text(), let topic = reader.text(),
                let payload = reader.bytes(),
                let isBare = reader.number(), let time = reader.number(), let moment = reader.number()
            else { return nil }
            let stamp = kind == 2 ? reader.text() : nil
            if kind == 2, stamp == nil { return nil }
            self = .record(
                SpoolRecord(
                    broker: broker, topic: topic, payload: payload, isBare: isBare != 0,
                    time: Timestamp(possible: time), moment: Instant(nanoseconds: moment), stamp: stamp))
        }
    }

    static func checksum(_ contents: ArraySlice<UInt8>) -> UInt32 {
        var checksum = RowChecksum()
        contents.withUnsafeBytes { checksum.add($0) }
        return UInt32(truncatingIfNeeded: checksum.value)
    }
}

/// Writes numbers and texts one after another, with the lowest byte first.
private struct JournalWriter {
    private(set) var bytes: [UInt8]

    init(_ bytes: [UInt8] = []) {
        self.bytes = bytes
    }

    mutating func addShort(_ number: Int) {
        for shift in 0..<4 { bytes.append(UInt8(truncatingIfNeeded: number >> (shift * 8))) }
    }

    mutating func add(_ number: Int64) {
        for shift in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: number >> (shift * 8))) }
    }

    /// Adds bytes after their number.
    mutating func add(_ text: [UInt8]) {
        addShort(text.count)
        bytes += text
    }
}

/// Reads what `JournalWriter` has written; each function returns nil at the end.
struct JournalReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    mutating func number() -> Int64? {
        guard rest.count >= 8 else { return nil }
        defer { rest = rest.dropFirst(8) }
        return rest.prefix(8).reversed().reduce(0) { $0 << 8 | Int64($1) }
    }

    mutating func shortNumber() -> UInt32? {
        guard rest.count >= 4 else { return nil }
        defer { rest = rest.dropFirst(4) }
        return rest.prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    mutating func bytes() -> [UInt8]? {
        guard let count = shortNumber(), rest.count >= Int(count) else { return nil }
        defer { rest = rest.dropFirst(Int(count)) }
        return Array(rest.prefix(Int(count)))
    }

    mutating func text() -> String? { bytes().flatMap { String(validating: $0, as: UTF8.self) } }
}
