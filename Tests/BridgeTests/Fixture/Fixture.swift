import Bridge
import Configuration
import Contract
import DBus
import EventLoop
import JSON
import Log
import MQTT
import Simulator
import System
import TestSupport
import Testing

/// A gateway under test with all its surroundings: a simulated fleet, a broker, and a client that records all messages.
///
/// A fixture is used only on the loop of its test.
final class Fixture: @unchecked Sendable {
    let loop: EventLoop
    let folder: TemporaryFolder
    let broker: Broker
    /// All published messages except those of the test itself.
    let recorder: Recorder
    private let scenario: Scenario
    /// The contents of the configuration file at the next reload.
    var file: String
    /// The configuration of the next reload in place of the file; nil: the file is loaded.
    private var replacement: Configuration?
    /// The port of the broker in the configuration.
    var port: UInt16
    /// The ports of further nodes of the broker in the configuration.
    var otherPorts: [UInt16] = []
    /// Additional keys of `mqtt` in the configuration.
    var mqtt: String
    private(set) var bus: PrivateBus?
    private(set) var simulation: Simulation?
    private(set) var gateway: Gateway?
    private var listener: Client?
    /// The number of expected responses, by topic.
    private(set) var asked: [String: Int] = [:]

    fileprivate init(_ scenario: Scenario, _ loop: EventLoop) throws {
        self.loop = loop
        self.scenario = scenario
        file = scenario.configuration
        folder = try TemporaryFolder()
        broker = try Broker(scenario.broker)
        port = broker.port
        mqtt = scenario.mqtt
        recorder = Recorder(loop)
    }

    // MARK: Start and stop

    fileprivate func open() async throws {
        Log.level = .error
        try await listen()
        if scenario.hasBus { try await startBus() }
        if scenario.hasBluetoothd { try await startSimulation() }
        if scenario.hasGateway { try await startGateway() }
    }

    func startBus() async throws {
        bus = try await PrivateBus(in: folder.path, on: loop)
    }

    func stopBus() async {
        await bus?.stop()
        bus = nil
    }

    var busAddress: String { "unix:path=\(folder.path)/bus" }

    func startSimulation() async throws {
        let fleet = try SimulatedFleet.read(yaml: scenario.fleet, name: "fleet.yaml")
        simulation = try await Simulation.start(fleet: fleet, bus: busAddress, loop: loop)
    }

    func stopSimulation() async {
        await simulation?.stop()
        simulation = nil
    }

    /// Starts the gateway and waits until the broker and Bluetooth are available.
    ///
    /// - Parameter text: The devices in YAML; nil: the devices of the scenario.
    /// - Throws: `GatewayError`, or `Recorder.Timeout` if the broker or Bluetooth does not become available.
    func startGateway(_ text: String? = nil) async throws {
        try await startGatewayAlone(text)
        if broker.isRunning { try await recorder.next("bluefleet/bridge/attic/state") { $0["state"] == "online" } }
        if simulation != nil {
            try await recorder.next("bluefleet/bridge/attic/info") { $0["bluetooth"] == "poweredOn" }
        }
    }

    /// Starts the gateway without waiting for the broker and Bluetooth.
    func startGatewayAlone(_ text: String? = nil) async throws {
        let gateway = Gateway(
            configuration: try configuration(text ?? scenario.configuration), bus: busAddress, version: "1.0",
            loop: loop, disconnectTime: scenario.disconnectTime,
            source: ConfigurationSource { [unowned self] () throws(ConfigurationError) in
                try loadedConfiguration()
            } texts: { [unowned self] in
                ["bluefleet.yaml": file]
            })
        self.gateway = gateway
        try await gateway.start()
    }

    /// Returns the configuration of a reload.
    private func loadedConfiguration() throws(ConfigurationError) -> Configuration {
        if let next = replacement {
            replacement = nil
            return next
        }
        return try configuration(file)
    }

    /// Makes the gateway load a configuration in place of the file, and waits until all differences have taken effect.
    func reload(_ configuration: Configuration) async {
        replacement = configuration
        await gateway?.reload()
    }

    /// Stops the gateway, and waits until its status `offline` is published.
    func stopGateway() async throws {
        guard let gateway else { return }
        self.gateway = nil
        await gateway.stop()
        if broker.isRunning { try await recorder.next("bluefleet/bridge/attic/state") { $0["state"] == "offline" } }
    }

    /// Returns the configuration of the gateway: its devices, with the broker of this fixture.
    func configuration(
        _ text: String, homeAssistant: String? = nil
    ) throws(ConfigurationError) -> Configuration {
        try Configuration(
            yaml: """
                gateway: attic
                state_directory: \(folder.path)/state
                mqtt: {url: [\(nodes)], \(mqtt)}
                home_assistant: {\(homeAssistant ?? scenario.homeAssistant)}
                \(text)
                """)
    }

    /// The URLs of the broker and its further nodes.
    private var nodes: String { ([port] + otherPorts).map { "\"mqtt://127.0.0.1:\($0)\"" }.joined(separator: ", ") }

    fileprivate func close() async throws {
        try await stopGateway()
        await listener?.close()
        await stopSimulation()
        await stopBus()
        folder.remove()
    }

    // MARK: The broker

    private func listen() async throws {
        let subscribed = Mailbox<Void>()
        let listener = try client("listener") { [recorder] event in
            switch event {
            case .received(let message): recorder.add(message)
            case .subscribed: subscribed.put(())
            default: break
            }
        }
        listener.subscribe(to: "#", Subscription(ignoresOwn: true))
        listener.start()
        self.listener = listener
        _ = await subscribed.next()
    }

    /// Returns another client of the broker, which is not started.
    func client(_ name: String, _ handler: @escaping @Sendable (Client.Event) -> Void) throws -> Client {
        var settings = Client.Settings(.tcp(host: "127.0.0.1", port: broker.port), identifier: name)
        settings.backoff = Backoff(first: .milliseconds(5), longest: .milliseconds(50))
        settings.maximumPacketSize = .max
        return try Client(settings, on: loop, handler: handler)
    }

    func publish(_ message: MQTT.Message) {
        listener?.publish(message, policy: .each)
    }

    /// Returns the messages that the broker retains, by topic.
    func retained() async throws -> [String: String] {
        let messages = Mailbox<MQTT.Message?>()
        let client = try client("newcomer") { event in
            switch event {
            case .received(let message): messages.put(message.topic == "the/end" ? nil : message)
            default: break
            }
        }
        client.subscribe(to: "#")
        client.publish(Message("the/end", qualityOfService: .atLeastOnce), policy: .each)
        client.start()
        var retained: [String: String] = [:]
        while let message = await messages.next() ?? nil {
            if message.isRetained { retained[message.topic.description] = message.text }
        }
        await client.close()
        return retained
    }

    // MARK: Requests

    /// Sends a request without waiting for the response.
    ///
    /// - Parameters:
    ///   - request: The topic below the prefix.
    ///   - payload: The payload, as text.
    ///   - device: The name of the device that responds; nil if the topic contains the name.
    ///   - properties: The properties of MQTT 5.
    /// - Throws: `TopicError` if the topic is invalid.
    func ask(
        _ request: String, _ payload: String, answeredBy device: String? = nil,
        properties: MQTT.Message.Properties = .init()
    ) throws {
        try ask(request, Array(payload.utf8), answeredBy: device, properties: properties)
    }

    func ask(
        _ request: String, _ payload: [UInt8] = [], answeredBy device: String? = nil,
        properties: MQTT.Message.Properties = .init()
    ) throws {
        let topic = Self.responseTopic(for: request, device)
        asked[properties.responseTopic?.description ?? topic, default: 0] += 1
        publish(Message(try Topic("bluefleet/\(request)"), payload, properties: properties))
    }

    /// Returns the next response to a request of this kind.
    func response(to request: String) async throws -> JSON {
        try await recorder.next(Self.responseTopic(for: request))
    }

    /// Sends a request and waits for the response: `try await fixture.request("relay/request/read", #"{"characteristic": "state"}"#)`.
    @discardableResult
    func request(_ request: String, _ payload: String = "") async throws -> JSON {
        try ask(request, payload)
        return try await response(to: request)
    }

    /// Returns the error code of the response to a request; nil if the request succeeds.
    func refusal(_ request: String, _ payload: String = "") async throws -> String? {
        try await self.request(request, payload)["error"]?["code"]?.string
    }

    /// Waits until no reading waits on the disk, and the recorder has all late readings.
    func waitForEmptyDisk(of gateway: Gateway) async throws {
        try await until("an empty disk") { await gateway.spoolStatus.state == .idle }
        // The broker has accepted all late readings. The recorder receives this response after them.
        try await request("bridge/attic/request/spool")
    }

    private static func responseTopic(for request: String, _ device: String? = nil) -> String {
        let levels = request.split(separator: "/", omittingEmptySubsequences: false)
        if let index = levels.firstIndex(of: "request") {
            let device = levels[..<index].joined(separator: "/")
            return "bluefleet/\(device)/response/\(levels[(index + 1)...].joined(separator: "/"))"
        }
        return "bluefleet/\(device ?? levels.dropLast(2).joined(separator: "/"))/response/\(levels.last ?? "")"
    }
}

/// Runs `body` with a new fixture on a new loop, and expects exactly one response to each request.
func withFixture(_ scenario: Scenario, _ body: @escaping @Sendable (Fixture) async throws -> Void) throws {
    try EventLoop.run { home in
        let fixture = try Fixture(scenario, home.loop)
        do {
            try await fixture.open()
            try await body(fixture)
        } catch {
            try? await fixture.close()
            throw error
        }
        try await fixture.close()
        for (topic, count) in fixture.asked {
            #expect(fixture.recorder.all(topic).count == count, "responses on \(topic)")
        }
    }
}
