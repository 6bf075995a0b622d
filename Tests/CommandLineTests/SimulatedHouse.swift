import Foundation
import TestSupport

/// A simulated fleet on a bus of its own: what stands in for bluetoothd and its devices.
final class SimulatedHouse {
    private let simulation: RunningBluefleet
    let bus: String

    /// Plays the house of the demo, or the fleet that a text describes.
    init(_ yaml: String? = nil) throws {
        let house = Bluefleet.project.appendingPathComponent("config/fleets/house.yaml").path
        simulation =
            try yaml.map { try Bluefleet.withFile($0, Self.play) } ?? Self.play(house)
        guard let bus = simulation.output.line() else { throw Failure(complaint: simulation.error.rest()) }
        self.bus = bus
    }

    private static func play(_ file: String) throws -> RunningBluefleet {
        let simulation = try RunningBluefleet("simulate", file)
        // The file has been read by then.
        _ = simulation.error.line(containing: "Ctrl-C")
        return simulation
    }

    deinit {
        simulation.send(2)
        _ = simulation.exit()
    }

    struct Failure: Error {
        let complaint: String
    }

    /// Runs a command on the house's bus.
    func run(_ words: String...) throws -> Bluefleet.Outcome {
        try Bluefleet.run(words + ["--bus", bus])
    }

    /// Scans until so many devices have been heard, and ends that with Ctrl-C.
    func scan(until count: Int, _ words: String...) throws -> Bluefleet.Outcome {
        let terminal = try Pseudoterminal(columns: 80, rows: 24)
        let scan = try RunningBluefleet(["scan", "--for", "10m", "--bus", bus] + words, at: terminal)
        _ = terminal.read(until: count == 1 ? "1 device heard" : "\(count) devices heard")
        scan.send(SIGINT)
        let output = scan.output.rest()
        return Bluefleet.Outcome(status: scan.exit(), output: output, error: "")
    }

    /// The addresses that are advertised at present, as soon as those of the demo's whole house are.
    func addresses() throws -> [String] {
        try scan(until: 6).lines.dropFirst().compactMap { $0.split(separator: " ").first.map(String.init) }
            .filter { $0.count == 17 && $0.contains(":") }
    }
}
