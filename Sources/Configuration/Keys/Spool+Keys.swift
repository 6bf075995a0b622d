import Codec

extension Configuration.Spool {
    enum Keys {
        static let keep = Key(
            "keep", Kind<Configuration.Keep>.word, default: "newest", example: "all",
            "The values to keep while the broker is away: newest (of each topic), all (on the disk), or none. Devices, "
                + "characteristics and publish have the same key.")
        static let size = Key(
            "size", .byteCount(1_000_000...10_000_000_000), default: "128MB",
            "The maximum size of all files together, from 1MB to 10GB; the oldest values of the device with the most bytes make "
                + "room for new ones.")
        static let age = Key(
            "age", .positiveDuration, default: "7d", "The maximum age of a value; older ones are removed.")
        static let replay = Key(
            "replay", .integer(1...10_000), default: "200",
            "The maximum number of late messages per second after the broker is back. At most 20 of them are unacknowledged, "
                + "and they are sent every 50 ms: more than about 350 are seldom reached.")
        static let sync = Key(
            "sync", Kind<Duration>.sync, default: "10s",
            "The time after which values that wait are written to the disk, from 1s to 10m: what a power cut may cost.")

        static let section = Section(
            "spool", keep, size, age, replay, sync,
            advice: [
                "enabled": "write keep: all", "limit": "did you mean 'size'?", "max": "did you mean 'size'?",
                "directory": "the folder is spool in state_directory",
                "compress": "values are stored as they are: remove the key", "ttl": "did you mean 'age'?",
                "max_size": "did you mean 'size'?", "max_age": "did you mean 'age'?", "rate": "did you mean 'replay'?",
                "path": "the folder is spool in state_directory", "folder": "the folder is spool in state_directory",
            ])
    }

    static let kind = Kind.mapping(Keys.section) { reader in
        Configuration.Spool(
            keep: reader[Keys.keep], includesEvents: true, size: reader[Keys.size], age: reader[Keys.age],
            replay: reader[Keys.replay], sync: reader[Keys.sync])
    }
}

extension Kind where Value == Duration {
    fileprivate static var sync: Kind {
        scalar("duration") { text, _ throws(InvalidValue) in
            let duration = try Duration(text: text)
            guard duration >= .seconds(1), duration <= .seconds(600) else {
                throw "expected a duration from 1s to 10m, found \(text.quotedForMessage)"
            }
            return duration
        }
    }
}

extension Kind where Value == Int {
    /// A size with a decimal unit: `500kB`, `128MB` or `1GB`.
    fileprivate static func byteCount(_ range: ClosedRange<Int>) -> Kind {
        let limits = "\(range.lowerBound / 1_000_000)MB to \(range.upperBound / 1_000_000_000)GB"
        return scalar("size") { text, _ throws(InvalidValue) in
            let digits = text.prefix { ("0"..."9").contains($0) }
            let suffix = text.dropFirst(digits.count).drop { $0 == " " }.lowercased()
            guard !digits.isEmpty, let unit = Self.units[suffix] else {
                let meant = Self.meantSize(by: text).flatMap { range.contains($0) ? $0 : nil }
                guard let meant else { throw "expected a size from \(limits), found \(text.quotedForMessage)" }
                throw
                    "expected a size such as 128MB, found \(text.quotedForMessage): did you mean \(meant.inLargestUnit)?"
            }
            let (bytes, isTooLarge) = (Int(digits) ?? .max).multipliedReportingOverflow(by: unit)
            guard !isTooLarge, range.contains(bytes) else {
                throw InvalidValue(stringLiteral: "expected a size from \(limits), found \(text.quotedForMessage)")
            }
            return bytes
        }
    }

    private static let units = ["kb": 1000, "mb": 1_000_000, "gb": 1_000_000_000]

    /// Returns the bytes of a text such as `100`, `1.5GB`, `128M`, `1GiB` or `1 gigabyte`; nil for any other text.
    ///
    /// A number without a unit means MB, unless it is that of the bytes.
    private static func meantSize(by text: String) -> Int? {
        guard text.isShort else { return nil }
        let text = text.lowercased().filter { !" _".contains($0) }
        let digits = text.prefix { $0.isNumber || ".,".contains($0) }
        guard let number = Double(String(digits.map { $0 == "," ? "." : $0 })), number < 1e12 else { return nil }
        let unit = text.dropFirst(digits.count)
        if unit.isEmpty { return Int(number < 1_000_000 ? number * 1_000_000 : number) }
        let kinds: KeyValuePairs = ["k": 1e3, "m": 1e6, "g": 1e9, "t": 1e12]
        let names: KeyValuePairs = ["k": "kilobytes", "m": "megabytes", "g": "gigabytes", "t": "terabytes"]
        for (kind, name) in names {
            let isName = [kind, "\(kind)b", "\(kind)ib", "\(kind)byte", "\(kind)bytes", name, String(name.dropLast())]
                .contains(String(unit))
            guard isName, let size = kinds.first(where: { $0.key == kind })?.value else { continue }
            return number * size < 1e15 ? Int(number * size) : nil
        }
        return nil
    }
}

extension Int {
    /// The number of bytes in the largest unit without a remainder: `1500MB`.
    fileprivate var inLargestUnit: String {
        for (unit, size) in [("GB", 1_000_000_000), ("MB", 1_000_000)] where self % size == 0 {
            return "\(self / size)\(unit)"
        }
        return "\(self / 1000)kB"
    }
}
