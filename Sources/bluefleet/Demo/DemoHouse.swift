internal import Bridge
internal import Configuration
internal import DBus
internal import EventLoop
internal import MQTT
internal import Simulator

/// The demo's house: a message bus, simulated peripherals on it, a broker, the bridge, and a client that listens.
@safe actor DemoHouse {
    nonisolated let unownedExecutor: UnownedSerialExecutor

    private let folder: TemporaryFolder
    private let loop: EventLoop
    private let report: @Sendable (DemoEvent) -> Void
    // In the order in which they are started; what is nil has not been.
    private var bus: PrivateBus?
    private var simulation: Simulation?
    private var broker: PrivateBroker?
    private var listener: Client?
    private var gateway: Gateway?

    /// - Parameters:
    ///   - folder: holds all files.
    ///   - report: is told of each message, and of an end that nobody wished.
    init(in folder: TemporaryFolder, on loop: EventLoop, _ report: @escaping @Sendable (DemoEvent) -> Void) {
        self.folder = folder
        self.loop = loop
        self.report = report
        unsafe unownedExecutor = loop.asUnownedSerialExecutor()
    }

    /// Starts everything, each part when those it needs are there.
    func open() async throws -> DemoGuide {
        let bus = try await PrivateBus(in: folder.path, on: loop)
        self.bus = bus
        simulation = try await Simulation.start(fleet: try Fleet.house(), bus: bus.address, loop: loop) { [report] in
            report(.end("\(ExternalProgram.messageBus.name) has ended by itself"))
        }
        let broker = try await PrivateBroker(in: folder, on: loop)
        self.broker = broker
        Task(executorPreference: loop.tasks) { await self.reportBrokersEnd() }
        let configuration = try Configuration(yaml: Self.yaml(port: broker.port, folder: folder.path))
        try listen(to: broker, below: configuration.broker.prefix)
        let gateway = Gateway(configuration: configuration, bus: bus.address, version: Program.version, loop: loop)
        self.gateway = gateway
        try await gateway.start()
        return DemoGuide(sources: ReadingSources(configuration), advice: Self.advice(port: broker.port))
    }

    /// Ends everything, in the opposite order.
    func close() async {
        await gateway?.stop()
        await listener?.close()
        await broker?.stop()
        await simulation?.stop()
        await bus?.stop()
    }

    private func listen(to broker: PrivateBroker, below prefix: String) throws {
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

    private func reportBrokersEnd() async {
        guard let broker else { return }
        await broker.exit()
        report(.end("\(ExternalProgram.broker.name) has ended by itself"))
    }
}
