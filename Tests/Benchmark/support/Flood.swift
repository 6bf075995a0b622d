import TestSupport

/// The org.bluez that floods, and the subscriber that hears what becomes of it.
package final class Flood {
    /// What has been sent and received until now.
    package struct Count {
        package let sent: Int
        package let received: Int
        /// Those that came after a newer one of their topic.
        package let disordered: Int
    }

    /// How long values were on their way, in microseconds.
    package struct Ages {
        package let median: Int
        package let percentile99: Int
        package let greatest: Int
    }

    /// What is sent.
    package enum Kind: String {
        case values
        case advertisements
    }

    private let command: Command

    init(_ fleet: Rig.FleetSize, busAddress: String, port: UInt16, programs: Programs) throws {
        let words = programs.flood + [busAddress, "\(port)", "\(fleet.peripherals)", "\(fleet.strangers)"]
        command = try Command(words[0], Array(words.dropFirst()), takesInput: true)
        try command.waitForOutput(containing: "ready")
    }

    /// Waits until all peripherals are subscribed to.
    ///
    /// - Returns: when that was, in microseconds of the monotonic clock.
    @discardableResult
    package func waitUntilSubscribed() throws -> Int {
        try numbers(of: "subscribed")[1]
    }

    /// Sends so many a second from now on; nil: as many as are taken.
    package func send(_ kind: Kind, rate: Int?) throws {
        try command.write("\(kind.rawValue) \(rate ?? 0)")
    }

    /// Sends so many values, each when the one before has come through, and waits for the last.
    package func sendSingly(_ count: Int) throws {
        try command.write("each \(count)")
        _ = try numbers(of: "sent")
    }

    /// Sends so many values as fast as the bus takes them.
    package func sendBurst(_ count: Int) throws {
        try command.write("burst \(count)")
    }

    package func stop() throws {
        try command.write("stop")
    }

    package func count() throws -> Count {
        try command.write("count")
        let numbers = try numbers(of: "sent")
        return Count(sent: numbers[0], received: numbers[1], disordered: numbers[2])
    }

    /// The ages of what came since the last time.
    package func takeAges() throws -> Ages {
        try command.write("ages")
        let numbers = try numbers(of: "median")
        return Ages(median: numbers[0], percentile99: numbers[1], greatest: numbers[2])
    }

    var identifier: Int32 { command.identifier }

    func end() {
        command.kill()
    }

    /// The numbers of the next line that begins with a word.
    private func numbers(of word: String) throws -> [Int] {
        while let line = command.output.line() {
            guard line.hasPrefix(word) else { continue }
            return line.split(separator: " ").compactMap { Int($0) }
        }
        throw BenchmarkError("the flood ended before it said '\(word)'")
    }
}
