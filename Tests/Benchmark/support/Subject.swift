import Foundation
import System
import TestSupport

/// A measured bridge: Bluefleet or the reference.
package final class Subject {
    package enum Kind: String, CaseIterable, Sendable {
        case bluefleet
        /// Bluefleet before a change.
        case before
        case reference
    }

    /// The fields of each value.
    package enum Fields: String, CaseIterable, Sendable {
        case one = "one field"
        case several = "several fields"

        /// The format in the configuration of Bluefleet.
        ///
        /// The first field is the time at which the value was sent.
        var format: String {
            let first = "{name: value, type: uint32, scale: 0.01, unit: \"°C\"}"
            let others = [
                "{name: humidity, type: uint8, unit: \"%\"}", "{name: pressure, type: uint16, scale: 0.1, unit: hPa}",
                "{name: battery, type: uint8, unit: \"%\"}",
            ]
            return "[" + ([first] + (self == .one ? [] : others)).joined(separator: ", ") + "]"
        }

        /// The number of bytes after the first field.
        var extraBytes: Int { self == .one ? 0 : 4 }
    }

    /// The mode of operation.
    package struct Mode: Sendable {
        /// Whether values arrive through descriptors (AcquireNotify) instead of signals.
        package var usesDescriptors = false
        package var qualityOfService = 1
        package var fields = Fields.one
        /// The pause of a busy loop in milliseconds; nil: the default of Bluefleet, also for the reference.
        package var pause: Int? = 0
        /// Whether the bridge scans continuously; the reference always does.
        package var listens = false

        package init() {}
    }

    package let kind: Kind
    package let usage: ProcessUsage
    private let rig: Rig
    private let command: Command
    /// The time of the start, in microseconds of the monotonic clock.
    private let start: Int

    /// Starts the bridge.
    ///
    /// - Parameters:
    ///   - kind: The bridge: Bluefleet or the reference.
    ///   - mode: The mode of operation.
    ///   - rig: The rig whose bus and broker the bridge uses.
    ///   - program: The command of the bridge.
    ///   - wrapper: A program with arguments that runs the bridge, for example valgrind.
    /// - Throws: An error if the configuration cannot be written or the bridge cannot be started.
    package init(
        _ kind: Kind, _ mode: Mode, on rig: Rig, running program: [String], under wrapper: [String] = []
    ) throws {
        self.kind = kind
        self.rig = rig
        let arguments =
            switch kind {
            case .bluefleet, .before:
                ["run", "--config", try Self.writeConfiguration(mode, rig)]
            case .reference:
                [
                    rig.busAddress, "\(rig.broker.port)",
                    mode.usesDescriptors ? "descriptors" : "signals", "\(mode.qualityOfService)",
                    "\(mode.pause ?? 5)",
                ]
            }
        let words = wrapper + program + arguments
        start = Int(DispatchTime.now().uptimeNanoseconds / 1000)
        command = try Command(
            words[0], Array(words.dropFirst()), environment: ["DBUS_SYSTEM_BUS_ADDRESS": rig.busAddress])
        usage = ProcessUsage(of: command.identifier)
    }

    package var identifier: Int32 { command.identifier }

    /// Waits until the bridge is subscribed to all devices.
    ///
    /// - Returns: The time since the start, in microseconds.
    /// - Throws: `BenchmarkError` with the bridge's output if it ends, or after five minutes.
    @discardableResult
    package func waitUntilSubscribed() throws -> Int {
        let watch = EndWatch(of: command.identifier, ending: rig.flood.identifier)
        defer { watch.cancel() }
        do {
            return try rig.flood.waitUntilSubscribed() - start
        } catch {
            command.kill()
            throw BenchmarkError("\(kind.rawValue) did not subscribe: \(command.output.rest())")
        }
    }

    /// Stops the bridge.
    package func end() {
        command.terminate()
    }

    /// Writes the configuration, and removes the state of an earlier run.
    private static func writeConfiguration(_ mode: Mode, _ rig: Rig) throws -> String {
        let state = rig.folder.path("state")
        if FileManager.default.fileExists(atPath: state) { try FileManager.default.removeItem(atPath: state) }
        return try rig.folder.write(BridgeConfiguration(mode, rig).text, to: "bluefleet.yaml")
    }
}
