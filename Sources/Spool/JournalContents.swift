import Glibc
import System

/// The intact records in the journal of a folder: two files to which a bridge appends.
///
/// The end of a file may be torn, and a file may contain anything: what is damaged is left out.
struct JournalContents {
    /// Records with the clock of their start of the machine.
    struct Part {
        let clock: ClockReading
        var records: [SpoolRecord]
    }

    /// The maximum size of one file, in bytes; the rest of a larger file is ignored.
    static let longestFile = 4 << 20

    /// The parts in the order in which they were written.
    private(set) var parts: [Part] = []
    /// The number of damaged places.
    private(set) var damaged = 0

    /// The paths of the two files in the folder of a journal.
    static func paths(in folder: String) -> [String] { (0...1).map { "\(folder)/journal.\($0)" } }

    /// The paths of the files for the folder of a `SpoolFile`: in memory, and in that folder.
    private static func allPaths(of folder: String) -> [String] {
        [JournalFolder.path(for: folder), folder].compactMap(\.self).flatMap(paths)
    }

    /// Whether the journal of a folder has contents.
    static func exist(in folder: String) -> Bool {
        allPaths(of: folder).contains { (FileSystem.size(of: $0) ?? 0) > 0 }
    }

    /// Returns why files of the journal are not used, such as `cannot use …/journal.0: it is a symbolic link`.
    static func refusals(in folder: String) -> [String] {
        allPaths(of: folder).compactMap { path in
            do throws(SystemError) {
                try PrivateFile.check(path)
                return nil
            } catch {
                return error.description
            }
        }
    }

    /// Removes the files in memory, and empties the others; a link, or what is not a regular file, remains as it is.
    static func remove(in folder: String) {
        JournalFolder.path(for: folder).map(JournalFolder.remove)
        for path in paths(in: folder) where access(path, F_OK) == 0 {
            if let file = try? PrivateFile.open(path, O_WRONLY | O_TRUNC, to: "write") { close(file) }
        }
    }

    /// Reads the journal of a folder.
    init(of folder: String) {
        var files = Self.allPaths(of: folder).map { JournalContents(Self.bytes(of: $0)) }
        files.sort { $0.start < $1.start }
        parts = files.flatMap(\.parts)
        damaged = files.reduce(0) { $0 + $1.damaged }
    }

    private var start: Int64 { parts.first?.clock.moment.nanoseconds ?? 0 }

    private static func bytes(of path: String) -> [UInt8] {
        guard let file = try? PrivateFile.open(path, O_RDONLY, to: "read") else { return [] }
        defer { close(file) }
        let size = min(FileSystem.size(of: path) ?? 0, longestFile)
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while bytes.count < size {
            let count = read(file, &chunk, min(chunk.count, size - bytes.count))
            guard count > 0 else { break }
            bytes += chunk[..<count]
        }
        return bytes
    }

    /// Parses the contents of one file.
    init(_ bytes: [UInt8]) {
        var index = 0
        // A file that is made for it would otherwise need hours: each mark in it can begin a long frame.
        var repetitions = 4 * bytes.count
        var isDamaged = false
        while let start = Self.nextMark(in: bytes, from: index) {
            if start > index { isDamaged = true }
            var header = JournalReader(bytes[(start + JournalFrame.mark.count)...])
            guard let length = header.shortNumber(), let checksum = header.shortNumber() else { break }
            let begin = start + JournalFrame.headerSize
            guard length <= JournalFrame.longest else {
                (index, isDamaged) = (begin, true)
                continue
            }
            // The end of the frame was not written, or its length is damaged.
            guard bytes.count - begin >= Int(length) else {
                index = begin
                continue
            }
            let contents = bytes[begin..<begin + Int(length)]
            index = contents.endIndex
            if JournalFrame.checksum(contents) == checksum, let frame = JournalFrame(contents) {
                if isDamaged { damaged += 1 }
                isDamaged = false
                add(frame)
            } else {
                isDamaged = true
                repetitions -= contents.count
                if repetitions > 0 { index = begin }
            }
        }
        if isDamaged { damaged += 1 }
    }

    private static func nextMark(in bytes: [UInt8], from index: Int) -> Int? {
        var index = index
        while index + JournalFrame.mark.count <= bytes.count {
            if bytes[index] == JournalFrame.mark[0], bytes[index...].starts(with: JournalFrame.mark) { return index }
            index += 1
        }
        return nil
    }

    private mutating func add(_ frame: JournalFrame) {
        switch frame {
        case .clock(let clock): parts.append(Part(clock: clock, records: []))
        case .record(let record):
            // The clock of the record was damaged.
            guard !parts.isEmpty else { return damaged += 1 }
            parts[parts.count - 1].records.append(record)
        }
    }

    /// Removes the records that a file contains already.
    ///
    /// - Throws: `SpoolError` if the file cannot be read.
    mutating func removeRecords(in database: Database) throws(SpoolError) {
        for index in parts.indices {
            var stored = try StoredKeys(like: parts[index], in: database)
            parts[index].records.removeAll { stored.remove($0) }
        }
        parts.removeAll { $0.records.isEmpty }
    }

    /// The records of a file that may be equal to those of a part.
    ///
    /// The time of a record can be corrected between its copy and its end in the file: it does not count.
    private struct StoredKeys {
        private struct Key: Hashable {
            let moment: Int64
            let broker: String
            let topic: String
            let payload: [UInt8]
        }

        private var counts: [Key: Int] = [:]

        init(like part: Part, in database: Database) throws(SpoolError) {
            let moments = part.records.map(\.moment.milliseconds)
            guard let first = moments.min(), let last = moments.max() else { return }
            let rows = try database.prepare(
                """
                SELECT moment, brokers.name, topics.name, payload FROM records
                JOIN brokers ON broker = brokers.number JOIN topics ON topic = topics.number
                WHERE boot = (SELECT boot FROM boots WHERE name = ?) AND moment BETWEEN ? AND ?
                """)
            try rows.bind(part.clock.boot, at: 1)
            try rows.bind(first, at: 2)
            try rows.bind(last, at: 3)
            while try rows.step() {
                let key = Key(
                    moment: rows.number(at: 0), broker: rows.text(at: 1), topic: rows.text(at: 2),
                    payload: rows.bytes(at: 3))
                counts[key, default: 0] += 1
            }
        }

        /// Removes one record; returns whether it was there.
        mutating func remove(_ record: SpoolRecord) -> Bool {
            let key = Key(
                moment: record.moment.milliseconds, broker: record.broker, topic: record.topic,
                payload: record.payload)
            guard let count = counts[key] else { return false }
            counts[key] = count > 1 ? count - 1 : nil
            return true
        }
    }
}
