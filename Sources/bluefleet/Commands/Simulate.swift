internal import Codec
internal import Configuration
internal import DBus
internal import EventLoop
internal import Simulator

/// `bluefleet simulate`: a fleet of peripherals for whatever speaks to BlueZ.
struct Simulate: Command {
    static let name = "simulate"
    static let summary = "a simulated fleet of peripherals on a D-Bus"
    static let details = [
        """
        It owns org.bluez on a bus of its own, or on the one that --bus names, until Ctrl-C. The address of the bus is \
        the one line on standard output.
        """,
        """
        FILE is YAML: adapters, and peripherals with their services, how their values change, and what goes wrong with \
        them. bluefleet help --fleet lists every key.
        """,
    ]
    static let operands = [file]
    static let options = [
        Option("bus", value: "ADDRESS", "a D-Bus that is there already, such as unix:path=/tmp/bus"),
        Option("json", "the address of the bus as JSON, for programs"),
    ]
    static let examples = ["bluefleet simulate config/fleets/house.yaml"]

    private static let file = Operand("FILE", "what the fleet is like: its adapters, its peripherals, their values")

    private enum Ending {
        case wanted, busEnded
    }

    private let fleet: Fleet
    private let bus: String?
    private let asJSON: Bool

    init(_ arguments: Arguments) throws(Failure) {
        bus = arguments[MessageBus.option]
        asJSON = arguments.contains(.json)
        do throws(ConfigurationError) {
            fleet = try Fleet.read(file: arguments[Self.file])
        } catch {
            // A mistake without a place is about the file as a whole: there is nothing to read.
            if let mistake = error.mistakes.first, mistake.position == nil {
                throw Failure(.badConfiguration, mistake.text)
            }
            throw Failure(.badData, "the fleet's description has mistakes\n\(error.text)")
        }
    }

    func run() throws(Failure) {
        if bus == nil { try ExternalProgram.require(.messageBus) }
        try onLoop { home in
            let folder = try TemporaryFolder()
            defer { folder.remove() }
            let endings = Mailbox<Ending>()
            try home.loop.onRequests(abandon: { folder.remove() }) { _ in endings.put(.wanted) }
            if let bus {
                try await play(on: bus, home.loop, until: endings)
            } else {
                let bus = try await PrivateBus(in: folder.path, on: home.loop)
                do {
                    try await play(on: bus.address, home.loop, until: endings)
                } catch {
                    await bus.stop()
                    throw error
                }
                await bus.stop()
            }
        }
    }

    private func play(
        on bus: String, _ loop: EventLoop, until endings: Mailbox<Ending>,
        isolation: isolated (any Actor)? = #isolation
    ) async throws {
        let simulation = try await Simulation.start(fleet: fleet, bus: bus, loop: loop) { endings.put(.busEnded) }
        explain(bus)
        let ending = await endings.next()
        await simulation.stop()
        if case .busEnded = ending { throw Failure(.unavailable, "the bus \(bus) has ended") }
    }

    private func explain(_ address: String) {
        let result: Value = ["bus": .string(address)]
        StandardStream.output.print(asJSON ? result.description : address)
        let count = fleet.peripherals.count
        StandardStream.error.print(
            """
            A simulated bluetoothd plays \(count) \(count == 1 ? "peripheral" : "peripherals") on this bus. Try:
              bluefleet run --bus \(address)
              DBUS_SYSTEM_BUS_ADDRESS=\(address) bluetoothctl
            Ctrl-C ends it.
            """)
    }
}
