import Codec
import Configuration
import DBus
import EventLoop
import JSON
import Simulator
import System

/// `bluefleet simulate`: simulates peripherals for programs that use BlueZ.
struct Simulate: Command {
    static let name = "simulate"
    static let summary = "simulates a fleet of peripherals on a D-Bus"
    static let details = [
        """
        Owns org.bluez on a private bus, or on the bus of --bus, until Ctrl-C. Prints the address of the bus as the \
        only line on standard output; if FILE has several hosts, prints a line with name and bus of each host.
        """,
        """
        FILE describes adapters and peripherals in YAML: their services, changing values and faults. bluefleet help \
        --fleet lists every key.
        """,
    ]
    static let operands = [file]
    static let options = [
        Option("bus", value: "ADDRESS", "use this D-Bus instead of a private one, e.g. unix:path=/tmp/bus"),
        Option("json", "print the address of the bus as JSON"),
    ]
    static let examples = ["bluefleet simulate config/fleets/house.yaml"]

    private static let file = Operand("FILE", "the description of the fleet")

    private enum Ending {
        case requested
        case busEnded(String)
    }

    private let fleet: SimulatedFleet
    private let bus: String?
    private let asJSON: Bool

    init(_ arguments: Arguments) throws(Failure) {
        bus = arguments[MessageBus.option]
        asJSON = arguments.contains(.json)
        let path = arguments[Self.file]
        do throws(ConfigurationError) {
            fleet = try SimulatedFleet.read(file: path)
        } catch {
            // A mistake without a position means that the file cannot be read.
            if let mistake = error.mistakes.first, mistake.position == nil {
                throw Failure(.badConfiguration, mistake.text)
            }
            if (try? Configuration(file: path)) != nil {
                throw Failure(
                    .badData,
                    "\(path.printable) is a bridge configuration, not a simulated fleet (see: bluefleet help --fleet)")
            }
            throw Failure(.badData, "the description of the fleet has mistakes\n\(error.text)")
        }
        if bus != nil, fleet.machines.count > 1 {
            throw Failure(
                .usage, "\(path.printable) has \(fleet.machines.count) hosts, and each needs its own bus: omit --bus")
        }
    }

    func run() throws(Failure) {
        if bus == nil { try ExternalProgram.require(.messageBus) }
        try onLoop { home in
            let folder = try TemporaryFolder()
            defer { folder.remove() }
            let endings = Mailbox<Ending>()
            try home.loop.onRequests(abandon: { folder.remove() }) { _ in endings.put(.requested) }
            if let bus {
                try await simulate(on: [bus], home.loop, until: endings)
            } else {
                var buses: [PrivateBus] = []
                do {
                    for number in fleet.machines.indices {
                        let place = "\(folder.path)/\(number)"
                        try Folder.create(place, mode: 0o700)
                        buses.append(try await PrivateBus(in: place, on: home.loop))
                    }
                    try await simulate(on: buses.map(\.address), home.loop, until: endings)
                } catch {
                    for bus in buses { await bus.stop() }
                    throw error
                }
                for bus in buses { await bus.stop() }
            }
        }
    }

    private func simulate(
        on buses: [String], _ loop: EventLoop, until endings: Mailbox<Ending>,
        isolation: isolated (any Actor)? = #isolation
    ) async throws {
        let simulation = try await Simulation.start(fleet: fleet, buses: buses, loop: loop) {
            endings.put(.busEnded($0))
        }
        printAddresses(buses)
        let ending = await endings.next()
        await simulation.stop()
        if case .busEnded(let bus) = ending { throw Failure(.unavailable, "the bus \(bus) has ended") }
    }

    private func printAddresses(_ buses: [String]) {
        let hosts = zip(fleet.machines, buses).compactMap { machine, bus in machine.name.map { ($0, bus) } }
        let result: Value
        if hosts.isEmpty {
            result = ["bus": .string(buses[0])]
        } else {
            result = ["buses": .record(Record(hosts.map { ($0, Value.string($1)) }))]
        }
        let lines = hosts.isEmpty ? [buses[0]] : hosts.map { "\($0) \($1)" }
        StandardStream.output.print(asJSON ? result.description : lines.joined(separator: "\n"))
        let (count, address) = (fleet.peripherals.count, buses[0])
        let place = buses.count == 1 ? "this bus" : "these \(buses.count) buses"
        StandardStream.error.print(
            """
            Simulating \(count) \(count == 1 ? "peripheral" : "peripherals") on \(place). Try:
              bluefleet run --bus \(address)
              DBUS_SYSTEM_BUS_ADDRESS=\(address) bluetoothctl
            Ctrl-C stops the simulation.
            """)
    }
}
