import TestSupport

/// The org.bluez that sends values and advertisements, with the MQTT subscriber that receives the readings.
package final class Flood {
    /// The numbers of values sent and received so far.
    package struct Count {
        package let sent: Int
        package let received: Int
        /// The number of values that arrived after a newer one of their topic.
        package let disordered: Int
    }

    /// The ages of the values at the subscriber, in microseconds.
    package struct Ages {
        package let median: Int
        package let percentile99: Int
        package let greatest: Int
    }

    /// The kind of messages to send.
    package enum Kind: String {
        case values
        case advertisements
    }

    private let command: Command

    init(
        _ fleet: Rig.FleetSize, _ fields: Subject.Fields, busAddress: String, port: UInt16, programs: Programs
    ) throws {
        let words =
            programs.flood + [
                busAddress, "\(port)", "\(fleet.peripherals)", "\(fleet.unmanaged)", "\(fields.extraBytes)",
            ]
        command = try Command(words[0], Array(words.dropFirst()), takesInput: true)
        try command.waitForOutput(containing: "ready")
    }

    /// Waits until all peripherals are subscribed to.
    ///
    /// - Returns: The time, in microseconds of the monotonic clock.
    @discardableResult
    package func waitUntilSubscribed() throws -> Int {
        try numbers(of: "subscribed")[1]
    }

    /// Starts sending.
    ///
    /// - Parameters:
    ///   - kind: The kind of messages.
    ///   - rate: The number of messages per second; nil for the maximum that the bridge accepts.
    /// - Throws: An error if the flood does not accept the command.
    package func send(_ kind: Kind, rate: Int?) throws {
        try command.write("\(kind.rawValue) \(rate ?? 0)")
    }

    /// Sends `count` values at once.
    func sendTogether(_ count: Int) throws {
        try command.write("together \(count)")
    }

    /// Waits until the values of `sendTogether` have arrived at the subscriber.
    func waitUntilArrived() throws {
        _ = try numbers(of: "sent")
    }

    /// Sends `count` values as fast as the bus accepts them.
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

    /// Returns the ages of the values since the previous call.
    package func takeAges() throws -> Ages {
        try command.write("ages")
        let numbers = try numbers(of: "median")
        return Ages(median: numbers[0], percentile99: numbers[1], greatest: numbers[2])
    }

    var identifier: Int32 { command.identifier }

    func end() {
        command.kill()
    }

    /// Returns the numbers of the next line that begins with a word.
    private func numbers(of word: String) throws -> [Int] {
        while let line = command.output.line() {
            guard line.hasPrefix(word) else { continue }
            return line.split(separator: " ").compactMap { Int($0) }
        }
        throw BenchmarkError("the flood ended before its line '\(word)'")
    }
}
