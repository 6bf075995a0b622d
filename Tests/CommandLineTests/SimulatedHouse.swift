import Foundation
import TestSupport

/// A simulated fleet on a private bus, in place of bluetoothd and its devices.
final class SimulatedHouse {
    private let simulation: RunningBluefleet
    /// The bus of the only host, or of the first one.
    let bus: String
    /// The buses by the names of the hosts; empty if the description has no hosts.
    let buses: [String: String]

    /// Simulates the devices of the demo, or the fleet of a description with a number of hosts.
    init(_ yaml: String? = nil, hosts: Int = 0) throws {
        let house = Bluefleet.project.appendingPathComponent("config/fleets/house.yaml").path
        simulation =
            try yaml.map { try Bluefleet.withFile($0, Self.start) } ?? Self.start(house)
        let lines = (0..<max(1, hosts)).compactMap { [simulation] _ in simulation.output.line() }
        guard let bus = lines.first?.split(separator: " ").last else {
            throw Failure(message: simulation.error.rest())
        }
        self.bus = String(bus)
        let pairs = lines.map { $0.split(separator: " ").map(String.init) }.filter { $0.count == 2 }
        buses = Dictionary(uniqueKeysWithValues: pairs.map { ($0[0], $0[1]) })
    }

    private static func start(_ file: String) throws -> RunningBluefleet {
        let simulation = try RunningBluefleet("simulate", file)
        // The file has been read when this line appears.
        _ = simulation.error.line(containing: "Ctrl-C")
        return simulation
    }

    deinit {
        simulation.send(2)
        _ = simulation.exit()
    }

    struct Failure: Error {
        let message: String
    }

    /// Runs a command on the bus of the fleet.
    func run(_ words: String...) throws -> Bluefleet.Outcome {
        try Bluefleet.run(words + ["--bus", bus])
    }

    /// Scans until a number of devices have been seen, and stops the scan with Ctrl-C.
    func scan(until count: Int, _ words: String...) throws -> Bluefleet.Outcome {
        let terminal = try Pseudoterminal(columns: 80, rows: 24)
        let scan = try RunningBluefleet(["scan", "--for", "10m", "--bus", bus] + words, at: terminal)
        _ = terminal.read(until: count == 1 ? "1 device seen" : "\(count) devices seen")
        scan.send(SIGINT)
        let output = scan.output.rest()
        let status = scan.exit()
        return Bluefleet.Outcome(status: status, output: output, error: try terminal.rest())
    }

    /// Returns the addresses that advertise at present, after all devices of the demo have been seen.
    func addresses() throws -> [String] {
        try scan(until: 6).lines.dropFirst().compactMap { $0.split(separator: " ").first.map(String.init) }
            .filter { $0.count == 17 && $0.contains(":") }
    }
}
