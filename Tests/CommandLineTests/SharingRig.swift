import Configuration
import Contract
import EventLoop
import Foundation
import JSON
import MQTT
import System
import TestSupport

@testable import Seat

/// Several built bridges that share devices, each with its own bus and its own signal strength, a broker, and a subscriber.
final class SharingRig: @unchecked Sendable {
    private struct Missing: Error {
        let what: String
    }

    /// The signal strengths in dBm, by gateway.
    static let strengths = ["attic": -50, "cellar": -62, "porch": -74]

    let broker: Broker
    /// The etcd in which the gateway that decides holds a lock; nil: there is no lock.
    let etcd: Etcd?
    private let loop: EventLoop
    private let folder: TemporaryFolder
    private let houses: [SimulatedHouse]
    /// The address of the bus of each gateway.
    private let buses: [String: String]
    private var bridges: [String: RunningBluefleet] = [:]
    private var subscriber: Client?
    /// The gateways of the readings, in order; consecutive readings of one gateway count once.
    private(set) var tellers: [String] = []
    private var readingCount = 0
    private var lastReading = Instant(nanoseconds: 0)
    /// The gateways of the events, by type.
    private(set) var events: [String: Set<String>] = [:]
    private(set) var states: [String: JSON] = [:]
    /// The messages on topics of gateways that are not retained, in order.
    private(set) var messages: [(topic: String, json: JSON)] = []
    private var answers: [String: JSON] = [:]
    /// The gateways that have answered requests to devices, and the responses, in order.
    private(set) var responses: [(gateway: String, json: JSON)] = []
    /// The gateway of the last message, by topic.
    private(set) var gateways: [String: String] = [:]
    /// The number of messages that are not retained, by topic and gateway.
    private(set) var counts: [String: [String: Int]] = [:]

    /// Starts a broker, the simulated houses of the gateways, and an etcd if `hasSeat` is true.
    ///
    /// If `isOneAir` is true, all gateways receive the same devices. Each device then accepts one connection.
    init(_ loop: EventLoop, isOneAir: Bool = false, hasSeat: Bool = false) throws {
        self.loop = loop
        etcd = hasSeat ? try Etcd() : nil
        folder = try TemporaryFolder()
        broker = try Broker()
        // Each packet has another temperature, so that each is a reading.
        let packets = (10..<100).map { "4002\($0)08" }.joined(separator: ", ")
        let fleet = { (hosts: String, strength: String) in
            """
            \(hosts)
            peripherals:
              sensor:
                address: 54:48:E6:8F:80:A5
                kind: public
                advertise:
                  every: 100ms
                  connectable: false
                  \(strength)
                  service_data: {FCD2: [\(packets)]}
              window:
                address: 54:48:E6:8F:80:A6
                kind: public
                advertise: {every: 200ms, connectable: false, \(strength), service_data: {FCD2: [40020a08, 40020b08]}}
              relay:
                address: C0:00:00:00:00:01
                advertise: {every: 100ms, \(strength)}
                services:
                  - uuid: 180F
                    characteristics:
                      - uuid: battery_level
                        flags: [read, notify]
                        value: {sine: {from: 10, to: 90, over: 5s}}
                        notify: 200ms
              lamp:
                address: C0:00:00:00:00:02
                advertise: {every: 100ms, \(strength)}
                services:
                  - {uuid: FFF0, characteristics: [{uuid: FFF1, flags: [read, write], hex: "01"}]}
              lock:
                address: C0:00:00:00:00:03
                advertise: {every: 100ms, \(strength)}
                pairing: just works
                services:
                  - {uuid: FFF0, characteristics: [{uuid: FFF2, flags: [read], hex: "01", bond: true}]}
            """
        }
        let strengths = Self.strengths.sorted { $0.key < $1.key }
        if isOneAir {
            let hosts = strengths.enumerated().map { index, host in
                "  \(host.key): {adapters: {hci0: {address: \"00:00:5E:00:53:0\(index)\"}}}"
            }
            let levels = strengths.map { "\($0)/hci0: \($1)" }.joined(separator: ", ")
            let yaml = fleet("hosts:\n" + hosts.joined(separator: "\n"), "strengths: {\(levels)}")
            let house = try SimulatedHouse(yaml, hosts: hosts.count)
            (houses, buses) = ([house], house.buses)
        } else {
            houses = try strengths.map { try SimulatedHouse(fleet("seed: 1", "rssi: \($0.value)")) }
            buses = Dictionary(uniqueKeysWithValues: zip(strengths.map(\.key), houses.map(\.bus)))
        }
        let settings = Client.Settings(.tcp(host: "127.0.0.1", port: broker.port), identifier: "subscriber")
        let subscriber = try Client(settings, on: loop) { [weak self] event in
            if case .received(let message) = event { self?.received(message) }
        }
        subscriber.subscribe(to: "bluefleet/#")
        subscriber.subscribe(to: "homeassistant/#")
        subscriber.start()
        self.subscriber = subscriber
    }

    func close() async {
        for gateway in bridges.keys.sorted() { end(gateway, SIGTERM) }
        await subscriber?.close()
        folder.remove()
    }

    /// Starts a bridge on the bus of a gateway; `key` is another key for a second process with the same name.
    ///
    /// With `hasLock`, the gateway has the device `lock`, which needs a bond; if `isSharing` is false, it shares no device.
    func start(_ gateway: String, key: String? = nil, hasLock: Bool = false, isSharing: Bool = true) throws {
        let key = key ?? gateway
        let share = !isSharing ? "false" : etcd.map { "{seat: {etcd: [\"\($0.url)\"]}}" } ?? "true"
        try folder.write(
            """
            gateway: \(gateway)
            state_directory: \(folder.path)/\(key)
            mqtt: {url: "mqtt://127.0.0.1:\(broker.port)"}
            share: \(share)
            devices:
              sensor: {address: "54:48:E6:8F:80:A5", connect: never, publish: {}}
              relay:
                address: C0:00:00:00:00:01
                connect: always
                characteristics:
                  battery_level: {service: 180F, subscribe: true}
              lamp:
                address: C0:00:00:00:00:02
                connect: on demand
                characteristics:
                  output: {service: FFF0, uuid: FFF1, format: [{name: level, type: uint8}], write: true}
            \(hasLock ? Self.lock : "")
            """, to: "\(key).yaml")
        bridges[key] = try RunningBluefleet(["run", folder.path("\(key).yaml"), "--bus", bus(of: gateway)])
    }

    /// The entry of a device that needs a bond.
    private static let lock = """
          lock:
            address: C0:00:00:00:00:03
            connect: always
            pair: true
            characteristics:
              state: {service: FFF0, uuid: FFF2, read: on connect, format: [{name: level, type: uint8}]}
        """

    private func bus(of gateway: String) -> String {
        guard let bus = buses[gateway] else { preconditionFailure("there is no bus for \(gateway)") }
        return bus
    }

    /// Runs a command with the configuration and the bus of a gateway until it ends.
    func run(
        _ command: String, of gateway: String, environment: [String: String] = [:]
    ) throws -> Bluefleet.Outcome {
        try Bluefleet.run(
            [command, folder.path("\(gateway).yaml"), "--bus", bus(of: gateway)], environment: environment)
    }

    /// Starts a gateway without Bluetooth, which only decides.
    func startDecider(_ name: String, like gateway: String) throws {
        bridges[name] = try RunningBluefleet(
            ["decide", folder.path("\(gateway).yaml")],
            environment: ["BLUEFLEET_GATEWAY": name, "BLUEFLEET_STATE_DIRECTORY": folder.path(name)])
    }

    /// Sends a signal that ends a bridge, and waits for its end.
    func end(_ key: String, _ signal: Int32) {
        let bridge = bridges.removeValue(forKey: key)
        bridge?.send(signal)
        _ = bridge?.exit()
    }

    // MARK: Messages

    private func received(_ message: Message) {
        let topic = "\(message.topic)"
        guard let json = try? JSON(parsing: message.payload) else { return }
        let gateway = message.properties.userProperties.first { $0.name == "gateway" }?.value ?? ""
        if topic.hasSuffix("/event"), let type = json["type"]?.string { events[type, default: []].insert(gateway) }
        if topic.contains("/response/") { answers[topic] = json }
        if topic.hasPrefix("bluefleet/bridge/") {
            if !message.isRetained { messages.append((topic, json)) }
        } else {
            if topic.contains("/response/") { responses.append((gateway, json)) }
            states[topic] = json
            gateways[topic] = gateway
            if !message.isRetained { counts[topic, default: [:]][gateway, default: 0] += 1 }
        }
        guard topic == "bluefleet/sensor/temperature", !message.isRetained else { return }
        readingCount += 1
        lastReading = loop.now
        if tellers.last != gateway { tellers.append(gateway) }
    }

    /// Waits until a gateway publishes readings.
    func reading(of gateway: String) async throws {
        try await until("a reading of \(gateway)") { tellers.last == gateway }
    }

    /// Waits for a number of further readings.
    func readings(_ count: Int) async throws {
        let goal = readingCount + count
        try await until("\(count) readings") { readingCount >= goal }
    }

    /// Returns the process that holds the seat: its gateway and its start.
    func seatHolder() async throws -> String? {
        guard let url = etcd?.url else { return nil }
        let settings = try Configuration(yaml: "share: {seat: {etcd: [\"\(url)\"]}}").share?.seat
        let process = FleetProcess(gateway: "test", start: "0")
        let limits = EtcdClient.Limits(call: 60_000, login: 60_000)
        return try await settings.map { Seat($0, prefix: "bluefleet", process, lifetime: 3, limits) }?.holder()
    }

    /// Waits until no gateway has published a reading for 2 s: the sensor sends one every 100 ms.
    func silence() async throws {
        try await until("silence") { loop.now - lastReading > .seconds(2) }
    }

    /// Forgets the events of a type that have arrived.
    func forget(event type: String) {
        events[type] = nil
    }

    /// Returns the data of the response of a gateway to the request `fleet`.
    func fleet(_ gateway: String) async throws -> JSON {
        let topic = "bluefleet/bridge/\(gateway)/response/fleet"
        answers[topic] = nil
        subscriber?.publish(Message(try Topic("bluefleet/bridge/\(gateway)/request/fleet")), policy: .each)
        try await until(topic) { answers[topic] != nil }
        return answers[topic]?["data"] ?? .null
    }

    /// Sends a request to a gateway, and returns its response.
    func request(_ verb: String, of gateway: String, _ payload: JSON) async throws -> JSON {
        let topic = "bluefleet/bridge/\(gateway)/response/\(verb)"
        answers[topic] = nil
        try ask("bridge/\(gateway)/request/\(verb)", payload)
        try await until(topic) { answers[topic] != nil }
        return answers[topic] ?? .null
    }

    /// Returns the devices of a gateway according to its topic `devices`, by name.
    func devices(of gateway: String) -> [String: JSON] {
        let list = messages.last { $0.topic == "bluefleet/bridge/\(gateway)/devices" }?.json["devices"]?.array ?? []
        return list.reduce(into: [:]) { devices, device in
            if let name = device["name"]?.string { devices[name] = device }
        }
    }

    /// Forgets the lists of devices that a gateway has published.
    func forgetDevices(of gateway: String) {
        messages.removeAll { $0.topic == "bluefleet/bridge/\(gateway)/devices" }
    }

    /// Sends a request to a device.
    func ask(_ topic: String, _ payload: JSON) throws {
        subscriber?.publish(Message(try Topic("bluefleet/\(topic)"), Array(payload.description.utf8)), policy: .each)
    }

    /// Runs the loop until `condition` holds; a test whose message does not arrive fails after two minutes.
    func until(_ what: String, _ condition: () async throws -> Bool) async throws {
        var isOver = false
        let guardian = loop.schedule(after: .seconds(120)) { isOver = true }
        defer { guardian.cancel() }
        while try await !condition() {
            guard !isOver else {
                throw Missing(what: "\(what); readings of \(tellers), \(states), events \(events)")
            }
            await loop.sleep(for: .milliseconds(1))
        }
    }
}
