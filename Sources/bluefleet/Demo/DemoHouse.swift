import Bridge
import Configuration
import DBus
import EventLoop
import MQTT
import Simulator
import System

/// The parts of the demo: a D-Bus with simulated peripherals, a broker, the bridge and an MQTT client.
@safe actor DemoHouse {
    nonisolated let unownedExecutor: UnownedSerialExecutor

    private let folder: TemporaryFolder
    private let loop: EventLoop
    private let report: @Sendable (DemoEvent) -> Void
    // The parts in the order in which they are started; nil before their start.
    private var bus: PrivateBus?
    private var simulation: Simulation?
    private var broker: PrivateBroker?
    private var page: PrivateDashboard?
    private var listener: Client?
    private var gateway: Gateway?

    /// - Parameters:
    ///   - folder: The folder for all files of the demo.
    ///   - loop: The event loop.
    ///   - report: Called for each received MQTT message, and if a program of the demo ends unexpectedly.
    init(in folder: TemporaryFolder, on loop: EventLoop, _ report: @escaping @Sendable (DemoEvent) -> Void) {
        self.folder = folder
        self.loop = loop
        self.report = report
        unsafe unownedExecutor = loop.asUnownedSerialExecutor()
    }

    /// Starts all parts, each after the parts that it needs.
    func open() async throws -> DemoGuide {
        let bus = try await PrivateBus(in: folder.path, on: loop)
        self.bus = bus
        simulation = try await Simulation.start(fleet: try SimulatedFleet.house(), bus: bus.address, loop: loop) {
            [report] _ in
            report(.end("\(ExternalProgram.messageBus.name) has ended unexpectedly"))
        }
        let broker = try await PrivateBroker(in: folder, on: loop)
        self.broker = broker
        Task(executorPreference: loop.tasks) { await self.reportBrokerExit() }
        let configuration = try Configuration(yaml: Self.yaml(port: broker.port, folder: folder.path))
        try subscribe(to: broker, below: configuration.broker.prefix)
        let gateway = Gateway(configuration: configuration, bus: bus.address, version: Program.version, loop: loop)
        self.gateway = gateway
        try await gateway.start()
        let page = await openPage(of: broker)
        return DemoGuide(sources: ReadingSources(configuration), advice: Self.advice(port: broker.port, page: page))
    }

    /// Stops all parts in the opposite order.
    func close() async {
        await gateway?.stop()
        await listener?.close()
        await page?.stop()
        await broker?.stop()
        await simulation?.stop()
        await bus?.stop()
    }

    /// Starts the page, and returns the line about it; the demo continues without a page.
    private func openPage(of broker: PrivateBroker) async -> String {
        let program = ExternalProgram.dashboard
        guard let path = program.pathBesideThis ?? ChildProcess.path(of: program.name) else {
            return "For a page in a browser: sudo apt install \(program.package)"
        }
        do throws(SystemError) {
            let page = try await PrivateDashboard(in: folder, brokerPort: broker.port, at: path, on: loop)
            self.page = page
            return "Open in a browser: \(page.address)"
        } catch {
            return "There is no page: \(error)"
        }
    }

    private func subscribe(to broker: PrivateBroker, below prefix: String) throws {
        let endpoint = Endpoint.tcp(host: "127.0.0.1", port: broker.port)
        let report = report
        let listener = try Client(Client.Settings(endpoint, identifier: "listener"), on: loop) { event in
            if case .received(let message) = event {
                report(.message(topic: message.topic.description, payload: message.payload))
            }
        }
        listener.subscribe(to: try TopicFilter("\(prefix)/#"))
        listener.start()
        self.listener = listener
    }

    private func reportBrokerExit() async {
        guard let broker else { return }
        await broker.exit()
        report(.end("\(ExternalProgram.broker.name) has ended unexpectedly"))
    }
}
