import Foundation
import TestSupport

/// A bridge that is measured: ours, or the reference.
package final class Subject {
    package enum Kind: String, CaseIterable, Sendable {
        case bluefleet
        case reference
    }

    /// How it is to work.
    package struct Mode: Hashable, Sendable {
        /// Whether values come through descriptors (AcquireNotify), and not by signals.
        package var usesDescriptors = false
        package var qualityOfService = 1
        /// Whether the bus may gather for a moment, as shipped.
        package var isModerated = false
        /// Whether it listens to advertisements all the time.
        package var listens = false

        package init() {}
    }

    package let kind: Kind
    private let rig: Rig
    private let command: Command
    package let usage: ProcessUsage
    /// When it was started, in microseconds of the monotonic clock.
    package let start: Int

    /// Starts it; it is subscribed when `rig.flood` says so.
    ///
    /// - Parameter wrapper: a program, with arguments, under which it is to run.
    package init(
        _ kind: Kind, _ mode: Mode, on rig: Rig, programs: Programs, under wrapper: [String] = []
    ) throws {
        self.kind = kind
        self.rig = rig
        let line =
            switch kind {
            case .bluefleet: [programs.bluefleet, "run", "--config", try Self.configuration(mode, rig)]
            case .reference:
                [
                    programs.reference, rig.busAddress, "\(rig.broker.port)",
                    mode.usesDescriptors ? "descriptors" : "signals", "\(mode.qualityOfService)",
                    mode.isModerated ? "5" : "0",
                ]
            }
        let words = wrapper + line
        start = Int(DispatchTime.now().uptimeNanoseconds / 1000)
        let command = try Command(
            words[0], Array(words.dropFirst()), environment: ["DBUS_SYSTEM_BUS_ADDRESS": rig.busAddress])
        self.command = command
        usage = ProcessUsage(of: command.identifier)
    }

    /// Waits until it is subscribed to everything.
    ///
    /// - Returns: how long that took, in microseconds.
    /// - Throws: `BenchmarkError` with what it wrote, when it is not within a minute.
    @discardableResult
    package func waitUntilSubscribed() throws -> Int {
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

    private static func configuration(_ mode: Mode, _ rig: Rig) throws -> String {
        var lines = [
            "gateway: benchmark", "state_directory: \(rig.folder.path("state"))", "log: error",
            "mqtt: {url: \"mqtt://127.0.0.1:\(rig.broker.port)\", qos: \(mode.qualityOfService)}",
            "bluetooth: {connections: 100, notify: \(mode.usesDescriptors ? "descriptor" : "signals")}",
            "profiles:", "  sensor:", "    characteristics:", "      temperature:", "        service: 181A",
            "        uuid: b1f70001-5f1e-4c7d-9a52-0c1f1e57f00d", "        subscribe: true",
            "        format: [{name: value, type: uint32, scale: 0.01, unit: \"°C\"}]", "devices:",
        ]
        for number in 0..<rig.fleet.peripherals {
            let name = String(format: "d%04d", number)
            lines.append("  \(name): {address: \"\(address(0xC0, number))\", profile: sensor}")
        }
        if mode.listens {
            lines.append("  beacon: {address: \"\(address(0xE0, 0))\", connect: never}")
        }
        try FileManager.default.removeItemIfThere(atPath: rig.folder.path("state"))
        return try rig.folder.write(lines.joined(separator: "\n") + "\n", to: "bluefleet.yaml")
    }

    private static func address(_ kind: Int, _ number: Int) -> String {
        String(format: "%02X:00:00:00:%02X:%02X", kind, number >> 8, number & 255)
    }
}

extension FileManager {
    fileprivate func removeItemIfThere(atPath path: String) throws {
        if fileExists(atPath: path) { try removeItem(atPath: path) }
    }
}
