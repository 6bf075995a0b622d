import Spool
import System

/// A spool in a temporary folder, with a clock that only the test moves.
struct SpoolFolder {
    let folder: TemporaryFolder
    var limits = SpoolLimits(size: 64_000_000, freeSpace: 0)
    var clock = ClockReading(
        boot: "first", time: Timestamp(milliseconds: 1_800_000_000_000), moment: Instant(nanoseconds: 0),
        isSynchronized: true)

    init() throws {
        folder = try TemporaryFolder()
    }

    var path: String { SpoolFile.path(in: folder.path) }

    /// Returns a new connection to the file, as after a start of the program.
    func open() -> SpoolFile { SpoolFile(in: folder.path, limits: limits) }

    /// Returns a record with a number as its payload.
    func record(
        _ number: Int, broker: String = "mqtt://a bluefleet", topic: String = "d/t", size: Int = 0, stamp: String? = nil
    )
        -> SpoolRecord
    {
        SpoolRecord(
            broker: broker, topic: topic, payload: Array("\(number)".utf8) + [UInt8](repeating: 0x20, count: size),
            isBare: false, time: clock.time, moment: clock.moment, stamp: stamp)
    }

    mutating func pass(_ duration: Duration) {
        let milliseconds = duration.nanoseconds / 1_000_000
        clock = ClockReading(
            boot: clock.boot, time: Timestamp(milliseconds: clock.time.milliseconds + milliseconds),
            moment: clock.moment + duration, isSynchronized: clock.isSynchronized)
    }

    /// Sets the calendar clock; the time since the start of the machine remains.
    mutating func setClock(to milliseconds: Int64, isSynchronized: Bool) {
        clock = ClockReading(
            boot: clock.boot, time: Timestamp(milliseconds: milliseconds), moment: clock.moment,
            isSynchronized: isSynchronized)
    }

    /// Starts the machine again: the time since its start begins at zero.
    mutating func reboot(_ name: String, at milliseconds: Int64, isSynchronized: Bool) {
        clock = ClockReading(
            boot: name, time: Timestamp(milliseconds: milliseconds), moment: Instant(nanoseconds: 0),
            isSynchronized: isSynchronized)
    }

    func numbers(_ file: SpoolFile, broker: String = "mqtt://a bluefleet") async throws -> [Int] {
        var (numbers, last): ([Int], Int64) = ([], 0)
        while true {
            let records = try await file.records(after: last, of: broker, most: 100, clock)
            guard let end = records.last else { return numbers }
            last = end.id
            numbers += records.map {
                String(decoding: $0.record.payload, as: UTF8.self).split(separator: " ").first.flatMap { Int($0) } ?? -1
            }
        }
    }
}
