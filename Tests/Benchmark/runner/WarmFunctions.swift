import BenchmarkSupport
import System
import TestSupport

/// The functions that run after the start of a gateway: for connections, commands, reports, and a restart of the broker.
struct WarmFunctions {
    /// The linker's names; functions that run more regularly are first.
    let names: [String]

    /// Watches two gateways in callgrind, with `share` and without, for two minutes each.
    init(of programs: Programs) throws {
        var regularity: [String: Int] = [:]
        for isShared in [false, true] {
            Progress.show("functions: a house, \(isShared ? "shared" : "not shared")")
            let program = try programs.command(of: .bluefleet)[0]
            for session in try Self.sessions(of: program, isShared: isShared) {
                for name in session { regularity[name, default: 0] += 1 }
            }
        }
        names = regularity.keys.sorted { (-regularity[$0, default: 0], $0) < (-regularity[$1, default: 0], $1) }
    }

    /// Returns the functions that run in each session of ten seconds.
    private static func sessions(of program: String, isShared: Bool) throws -> [Set<String>] {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let broker = try Broker()
        let fleet = try folder.write(WorkingHouse.fleet, to: "fleet.yaml")
        let simulator = try Command(program, ["simulate", fleet], output: .ownPipe)
        guard let bus = simulator.output.line() else { throw BenchmarkError("\(program) simulate has ended") }

        let configuration = try folder.write(
            WorkingHouse.configuration(port: broker.port, state: folder.path("state"), isShared: isShared),
            to: "bluefleet.yaml")
        let copy = try Callgrind.strippedCopy(of: program, in: folder)
        let file = folder.path("callgrind.out")
        let words = Callgrind.words(writingTo: file) + [copy, "run", "--config", configuration]
        let gateway = try Command(
            words[0], Array(words.dropFirst()), environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus])
        var callgrind = Callgrind(gateway.identifier, writingTo: file)

        // The end of the first session: the start is over.
        try gateway.waitForOutput(containing: sessionEnd)
        try callgrind.start()
        return try (1...12).map { session in
            try gateway.waitForOutput(containing: sessionEnd)
            switch session {
            case 2, 8: try publish(#"{"on":true}"#, to: "bluefleet/relay/output/set", at: broker)
            case 3: try publish("", to: "bluefleet/relay/request/read", at: broker)
            case 5:
                broker.stop()
                try broker.start()
            default: break
            }
            return Set(try callgrind.profile().functions(of: copy, calledAtLeast: 1)).linkerNames
        }
    }

    /// The log line after each session of a device that is connected every ten seconds.
    private static let sessionEnd = "soil: disconnected"

    private static func publish(_ payload: String, to topic: String, at broker: Broker) throws {
        let command = try Command("mosquitto_pub", ["-p", "\(broker.port)", "-t", topic, "-m", payload])
        guard command.wait() == .code(0) else { throw BenchmarkError("mosquitto_pub has failed") }
    }
}
