import Foundation
import TestSupport

/// A bridge that is measured: ours, or the reference.
package final class Subject {
    package enum Kind: String, CaseIterable, Sendable {
        case bluefleet
        case reference
    }

    /// How it is to work.
    package struct Mode: Sendable {
        /// Whether values come through descriptors (AcquireNotify), and not by signals.
        package var usesDescriptors = false
        package var qualityOfService = 1
        /// For how many milliseconds a busy bus may gather; nil: as shipped, and as long in the reference.
        package var pause: Int? = 0
        /// Whether it listens to advertisements all the time; the reference always does.
        package var listens = false

        package init() {}
    }

    package let kind: Kind
    package let usage: ProcessUsage
    private let rig: Rig
    private let command: Command
    /// When it was started, in microseconds of the monotonic clock.
    private let start: Int

    /// Starts it.
    ///
    /// - Parameter wrapper: a program, with arguments, under which it is to run.
    package init(
        _ kind: Kind, _ mode: Mode, on rig: Rig, programs: Programs, under wrapper: [String] = []
    ) throws {
        self.kind = kind
        self.rig = rig
        let line =
            switch kind {
            case .bluefleet:
                [programs.bluefleet, "run", "--config", try Self.writeConfiguration(mode, rig)]
            case .reference:
                programs.reference + [
                    rig.busAddress, "\(rig.broker.port)",
                    mode.usesDescriptors ? "descriptors" : "signals", "\(mode.qualityOfService)",
                    "\(mode.pause ?? 5)",
                ]
            }
        let words = wrapper + line
        start = Int(DispatchTime.now().uptimeNanoseconds / 1000)
        command = try Command(
            words[0], Array(words.dropFirst()), environment: ["DBUS_SYSTEM_BUS_ADDRESS": rig.busAddress])
        usage = ProcessUsage(of: command.identifier)
    }

    package var identifier: Int32 { command.identifier }

    /// Waits until it is subscribed to everything.
    ///
    /// - Returns: how long that took, in microseconds.
    /// - Throws: `BenchmarkError` with what it wrote, when it ends or is not within five minutes.
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

    /// Ends it in good order.
    package func end() {
        command.terminate()
    }

    /// A fresh start: without what an earlier run has kept.
    private static func writeConfiguration(_ mode: Mode, _ rig: Rig) throws -> String {
        let state = rig.folder.path("state")
        if FileManager.default.fileExists(atPath: state) { try FileManager.default.removeItem(atPath: state) }
        return try rig.folder.write(BridgeConfiguration(mode, rig).text, to: "bluefleet.yaml")
    }
}
