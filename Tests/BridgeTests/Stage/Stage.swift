import Bridge
import Configuration
import DBus
import EventLoop
import JSON
import Log
import MQTT
import Simulator
import TestSupport
import Testing

/// The whole way from a peripheral to a subscriber: a simulated fleet, the bridge, a broker, and a client of the broker
/// that hears everything.
///
/// It lives on the loop of its test.
final class Stage: @unchecked Sendable {
    let loop: EventLoop
    let folder: TemporaryFolder
    let broker: Broker
    /// Everything that anybody has published, but for what the test itself did.
    let record: Record
    private let script: Script
    /// What the bridge finds in its file when it reads it again.
    var file: String
    /// The port of the broker that is in its configuration.
    var port: UInt16
    /// More keys of the configuration's `mqtt`.
    var mqtt: String
    private(set) var bus: PrivateBus?
    private(set) var simulation: Simulation?
    private(set) var gateway: Gateway?
    private var listener: Client?
    /// How many responses are due, by the topic on which they come.
    private(set) var asked: [String: Int] = [:]

    fileprivate init(_ script: Script, _ loop: EventLoop) throws {
        self.loop = loop
        self.script = script
        file = script.configuration
        folder = try TemporaryFolder()
        broker = try Broker(script.broker)
        port = broker.port
        mqtt = script.mqtt
        record = Record(loop)
    }

    // MARK: Up and down

    fileprivate func open() async throws {
        Log.level = .error
        try await listen()
        if script.hasBus { try await startBus() }
        if script.hasBluetoothd { try await startSimulation() }
        if script.hasGateway { try await startGateway() }
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
        let fleet = try Fleet.read(yaml: script.fleet, name: "fleet.yaml")
        simulation = try await Simulation.start(fleet: fleet, bus: busAddress, loop: loop)
    }

    func stopSimulation() async {
        await simulation?.stop()
        simulation = nil
    }

    /// Starts the bridge and waits until it can do its work.
    ///
    /// - Parameter text: its devices, if not those of the script.
    func startGateway(_ text: String? = nil) async throws {
        try await startGatewayAlone(text)
        if broker.isRunning { try await record.next("bluefleet/bridge/attic/state") { $0["state"] == "online" } }
        if simulation != nil {
            try await record.next("bluefleet/bridge/attic/info") { $0["bluetooth"] == "poweredOn" }
        }
    }

    /// Starts the bridge, whatever is missing.
    func startGatewayAlone(_ text: String? = nil) async throws {
        let gateway = Gateway(
            configuration: try configuration(text ?? script.configuration), bus: busAddress, version: "1.0", loop: loop,
            farewell: script.farewell
        ) { [unowned self] () throws(ConfigurationError) in try configuration(file) }
        self.gateway = gateway
        try await gateway.start()
    }

    /// Stops the bridge in good order, and waits until everybody has heard of it.
    func stopGateway() async throws {
        guard let gateway else { return }
        self.gateway = nil
        await gateway.stop()
        if broker.isRunning { try await record.next("bluefleet/bridge/attic/state") { $0["state"] == "offline" } }
    }

    /// The bridge's configuration: its devices, with this stage's broker.
    func configuration(
        _ text: String, homeAssistant: String? = nil
    ) throws(ConfigurationError) -> Configuration {
        try Configuration(
            yaml: """
                gateway: attic
                state_directory: \(folder.path)/state
                mqtt: {url: "mqtt://127.0.0.1:\(port)", \(mqtt)}
                home_assistant: {\(homeAssistant ?? script.homeAssistant)}
                \(text)
                """)
    }

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
        let listener = try client("listener") { [record] event in
            switch event {
            case .received(let message): record.add(message)
            case .subscribed: subscribed.put(())
            default: break
            }
        }
        listener.subscribe(to: "#", Subscription(ignoresOwn: true))
        listener.start()
        self.listener = listener
        _ = await subscribed.next()
    }

    /// Another client of the broker, not started.
    func client(_ name: String, _ handler: @escaping @Sendable (Client.Event) -> Void) throws -> Client {
        var settings = Client.Settings(.tcp(host: "127.0.0.1", port: broker.port), identifier: name)
        settings.backoff = Backoff(first: .milliseconds(5), longest: .milliseconds(50))
        settings.maximumPacketSize = .max
        return try Client(settings, on: loop, handler: handler)
    }

    func publish(_ message: MQTT.Message) {
        listener?.publish(message, keeping: .each)
    }

    /// What the broker keeps at the moment, by topic.
    func retained() async throws -> [String: String] {
        let messages = Mailbox<MQTT.Message?>()
        let client = try client("newcomer") { event in
            switch event {
            case .received(let message): messages.put(message.topic == "the/end" ? nil : message)
            default: break
            }
        }
        client.subscribe(to: "#")
        client.publish(Message("the/end", qualityOfService: .atLeastOnce), keeping: .each)
        client.start()
        var retained: [String: String] = [:]
        while let message = await messages.next() ?? nil {
            if message.isRetained { retained[message.topic.description] = message.text }
        }
        await client.close()
        return retained
    }

    // MARK: Requests

    /// Asks without waiting for the response.
    ///
    /// - Parameter device: whose response it will be, where the topic leaves that open.
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

    /// The next response to requests like this one.
    func response(to request: String) async throws -> JSON {
        try await record.next(Self.responseTopic(for: request))
    }

    /// Asks and waits for the response: `try await stage.request("relay/request/read", #"{"characteristic": "state"}"#)`.
    @discardableResult
    func request(_ request: String, _ payload: String = "") async throws -> JSON {
        try ask(request, payload)
        return try await response(to: request)
    }

    /// The error that a request ends with, as `code`; nil when it succeeds.
    func refusal(_ request: String, _ payload: String = "") async throws -> String? {
        try await self.request(request, payload)["error"]?["code"]?.string
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

/// Runs `body` on a stage of its own; afterwards every request must have been answered exactly once.
func onStage(
    _ script: Script, _ body: @escaping @Sendable (isolated LoopActor, Stage) async throws -> Void
) throws {
    try EventLoop.run { home in
        let stage = try Stage(script, home.loop)
        do {
            try await stage.open()
            try await body(home, stage)
        } catch {
            try? await stage.close()
            throw error
        }
        try await stage.close()
        for (topic, count) in stage.asked {
            #expect(stage.record.all(topic).count == count, "responses on \(topic)")
        }
    }
}
