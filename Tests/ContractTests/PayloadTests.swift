import Bluetooth
import Codec
import Configuration
import JSON
import MQTT
import System
import Testing

@testable import Contract

/// A payload that is written and parsed again is the same value, and its members keep their order.
@Suite struct PayloadTests {
    private static let time = Timestamp(milliseconds: 1_795_237_740_123)
    private static let address = Address(0xC000_0000_0001)

    /// Writes a payload as text, parses the text, and compares the values.
    private func check<Payload: Equatable>(
        _ payload: Payload, _ json: JSON, _ make: (JSON) -> Payload?, _ names: String
    ) throws {
        #expect(make(try JSON(parsing: json.description)) == payload)
        #expect(make(["other": 1]) == nil)
        #expect(json.object?.names.joined(separator: " ") == names)
    }

    @Test(
        arguments: [
            (.restartScan, "restart_scan"), (.removeDevice(address), "remove_device"), (.powerCycle, "power_cycle"),
        ] as [(RepairStep, String)])
    func `GatewayEvent of a repair contains the name of the repair`(repair: RepairStep, name: String) {
        let event = GatewayEvent.repair(repair, adapter: "hci0", reason: "the scan is stuck", device: nil)
        #expect(event.json(at: Self.time)["repair"] == .string(name))
    }

    @Test func `BrokerStatus names each limit of a broker that has an effect`() {
        func kinds(_ quality: QualityOfService, _ change: (inout BrokerLimits) -> Void) -> [BrokerStatus.Restriction
            .Kind]
        {
            var limits = BrokerLimits()
            change(&limits)
            return BrokerStatus.restrictions(limits, quality: quality).map(\.kind)
        }
        #expect(kinds(.exactlyOnce) { _ in } == [])
        #expect(kinds(.atLeastOnce) { $0.retainsMessages = false } == [.retain])
        #expect(kinds(.atLeastOnce) { $0.bestQuality = .atLeastOnce } == [])
        #expect(kinds(.exactlyOnce) { $0.bestQuality = .atLeastOnce } == [.qos])
        #expect(kinds(.atLeastOnce) { $0.bestQuality = .atMostOnce } == [.qos])
        #expect(kinds(.atLeastOnce) { $0.maximumPacketSize = 128 << 10 } == [])
        #expect(kinds(.atLeastOnce) { $0.maximumPacketSize = 65_536 } == [.packetSize])
        #expect(kinds(.atLeastOnce) { $0.acceptsWildcards = false } == [.wildcards])
    }

    @Test(arguments: GatewayState.allCases)
    func `GatewayState is parsed as it was written`(state: GatewayState) throws {
        try check(state, state.json(of: nil), GatewayState.init, "state")
        let connection = FleetConnection(start: "51aa72c3", number: 3)
        try check(state, state.json(of: connection), GatewayState.init, "state start connection")
        #expect(FleetConnection(state.json(of: connection)) == connection)
        #expect(FleetConnection(state.json(of: nil)) == nil)
    }

    @Test func `FleetHealth is parsed as it was written`() throws {
        let health = FleetHealth(
            decider: "attic", epoch: 7, members: ["attic", "cellar"], shared: 31, owned: 12, moves: 15,
            secondsInDoubt: 4, ignored: 2)
        let names = "decider epoch members shared owned moves seconds_in_doubt ignored"
        try check(health, health.json, FleetHealth.init, names)
    }

    @Test func `GatewayInfo is parsed as it was written`() throws {
        let info = GatewayInfo(
            version: "1.0.0", bluez: "5.82", started: Self.time, bluetooth: .poweredOff, reason: "off",
            adapters: [
                .init(name: "hci0", address: Self.address, isPowered: true),
                .init(name: "hci1", address: Self.address, isPowered: false, reason: "blocked"),
            ], deviceCount: 2, broker: "mqtt://b:1883")
        try check(
            info, info.json, GatewayInfo.init, "version started bluetooth reason adapters devices broker bluez")
        #expect(
            info.json["adapters"]?[1]?.description
                == #"{"name":"hci1","address":"C0:00:00:00:00:01","powered":false,"reason":"blocked"}"#)
    }

    @Test func `GatewayHealth is parsed as it was written`() throws {
        var messages = GatewayHealth.Messages()
        (messages.waiting, messages.waitingBytes, messages.sent, messages.received) = (1, 7, 2, 3)
        (messages.dropped, messages.superseded, messages.expired) = (4, 5, 6)
        var spool = SpoolStatus(.keeping)
        (spool.waiting, spool.bytes, spool.oldest, spool.dropped) = (1, 2, Self.time, 3)
        (spool.expired, spool.damaged, spool.writtenBytes, spool.replayed) = (4, 5, 6, 7)
        let device = DeviceHealth(
            lastSeen: Self.time, connects: 1, failures: [.bondLost: 2, .connect: 1], notifications: 3,
            decodeFailures: 4, advertisements: AdvertisementCounters(received: 1, decoded: 2, refused: 3), rssi: -61,
            battery: JSON.Number(text: "87.50"))
        var broker = BrokerStatus()
        broker.refused = [
            .init(.publish, "a/b", reason: "c", isTemporary: true), .init(.subscribe, "d/#", reason: "e"),
        ]
        (broker.held, broker.rejected) = (6, 7)
        broker.restrictions = [.init(.wildcards, effect: "f")]
        broker.connectedSince = Self.time
        let health = GatewayHealth(
            memory: 1, processorSeconds: 31.5, notificationsPerSecond: JSON.Number(0), messages: messages,
            brokerConnects: 2, broker: broker, isClockSynchronized: nil,
            adapters: [
                AdapterUse(
                    name: "hci0", address: Self.address, connections: 1, waiting: 2, capacity: nil,
                    radio: .init(advertisements: 9, scanning: .seconds(8), connecting: .seconds(7)))
            ], spool: spool,
            advertisers: [
                AdvertiserStatus(name: "x", .sending(adapter: "hci0")),
                AdvertiserStatus(name: "y", .waiting(reason: "a")),
                AdvertiserStatus(name: "z", .failed(reason: "b")),
            ], devices: ["b": device, "a": DeviceHealth()], time: Self.time)
        try check(
            health, health.json, GatewayHealth.init,
            "memory cpu_seconds notifications_per_second waiting waiting_bytes sent received dropped superseded expired "
                + "broker_connects broker clock_synchronized adapters spool advertisers devices time")
        #expect(health.json["advertisers"]?[0] == ["name": "x", "state": "sending", "adapter": "hci0"])
        #expect(health.json["advertisers"]?[2] == ["name": "z", "state": "failed", "reason": "b"])
        let adapter = health.json["adapters"]?[0]
        #expect(adapter?["advertisements"] == 9)
        #expect(adapter?["scanning_seconds"] == 8 && adapter?["connecting_seconds"] == 7)
        #expect(health.json["devices"]?.object?.names == ["a", "b"])
        #expect(
            health.json["broker"]?.object?.names == ["refused", "held", "rejected", "restrictions", "connected_since"])
        #expect(
            health.json["devices"]?["b"]?.object?.names == [
                "last_seen", "connects", "failures", "notifications", "decode_failures", "advertisements", "rssi",
                "battery",
            ])
        #expect(health.json["devices"]?["b"]?["failures"]?.object?.names == ["connect_failed", "bond_lost"])
        #expect(
            health.json["spool"]?.object?.names == [
                "state", "waiting", "bytes", "oldest", "dropped", "expired", "damaged", "written_bytes", "replayed",
            ])
    }

    @Test func `AdapterReport is parsed as it was written`() throws {
        let report = AdapterReport(
            adapters: [AdapterUse(name: "hci0", address: Self.address, connections: 1, waiting: 2, capacity: 5)],
            time: Self.time)
        try check(report, report.json, AdapterReport.init, "adapters time")
        #expect(
            report.json["adapters"]?[0]?.object?.names == ["name", "address", "connections", "waiting", "capacity"])
    }

    @Test func `DeviceList is sorted, and parsed as it was written`() throws {
        let entries = ["b", "a"].map { name in
            DeviceList.Entry(
                name: name, address: Self.address, source: .adopted, profile: name == "a" ? "climate" : nil,
                connect: "every 10m", options: name == "a" ? ["connect": "every 10m"] : nil)
        }
        let list = DeviceList(devices: entries, removed: ["z", "y"])
        try check(list, list.json, DeviceList.init, "devices removed")
        #expect(list.json["removed"] == ["y", "z"])
        #expect(
            list.json["devices"]?[0]?.object?.names == ["name", "address", "source", "profile", "connect", "options"])
    }

    @Test func `LatePayload and ReadingPayload are parsed as they were written`() throws {
        let late = LatePayload(["value": 21.5, "unit": "°C"], at: Self.time, isTimeUncertain: true, id: 1 << 60)
        try check(late, late.json, LatePayload.init, "value unit time time_uncertain late id")
        let reading = ReadingPayload(["value": 21.5, "unit": "°C"], at: Self.time)
        try check(reading, reading.json, ReadingPayload.init, "value unit time")
        #expect(reading.value == 21.5 && reading.unit == "°C")
        #expect(ReadingPayload(try JSON(parsing: Example.reading))?.json.description == Example.reading)
    }

    @Test func `LogEntry is parsed as it was written`() throws {
        let line = LogEntry(level: .warning, subject: "greenhouse", message: "text", time: Self.time)
        try check(line, line.json, LogEntry.init, "level subject message time")
    }

    @Test(arguments: Availability.State.allCases)
    func `Availability is parsed as it was written`(state: Availability.State) throws {
        let availability = Availability(state: state, reason: "text")
        try check(availability, availability.json, Availability.init, "state reason")
        let short = Availability(state: state)
        try check(short, short.json, Availability.init, "state")
    }

    @Test func `ConnectionStatus is parsed as it was written, without the time`() throws {
        let status = ConnectionStatus(
            state: .waiting, reason: "text", until: Self.time, attempts: 2, adapter: "hci0", rssi: -61, mtu: 247)
        try check(
            status, status.json(at: Self.time), ConnectionStatus.init,
            "state reason until attempts adapter rssi mtu time")
        let short = ConnectionStatus(state: .connected)
        try check(short, short.json(at: Self.time), ConnectionStatus.init, "state time")
    }

    @Test func `DeviceInfo is parsed as it was written`() throws {
        let info = DeviceInfo(
            name: "a", address: Self.address, identity: Address(1),
            DeviceIdentity(["manufacturer": "Example", "model": "One"]),
            [
                .init(
                    name: "temperature", uuid: 0x2A6E, service: 0x181A, canRead: true, canWrite: false,
                    canSubscribe: true, flags: ["read"], fields: [.init(name: "temperature", unit: "°C")]),
                .init(
                    name: "button", uuid: 0x2A56, service: nil, canRead: false, canWrite: true, canSubscribe: false,
                    state: "lamp", flags: nil, fields: []),
            ], advertisement: [.init(name: "humidity", format: "ruuvi", unit: "%")])
        try check(
            info, info.json, DeviceInfo.init,
            "name address identity manufacturer model characteristics advertisement")
        #expect(
            info.json["characteristics"]?["temperature"]?.object?.names == [
                "uuid", "service", "read", "write", "subscribe", "flags", "fields",
            ])
        #expect(info.json["advertisement"]?["fields"]?[0]?.object?.names == ["name", "format", "unit"])
    }

    @Test func `Response is parsed as it was written`() throws {
        let transaction = try Transaction(["a", 7])
        let success = Response(.success(["value": 1]), transaction)
        try check(success, success.json, Response.init, "status transaction data")
        let failure = Response(.failure(RequestError(.attError, "text", att: 5)))
        try check(failure, failure.json, Response.init, "status error")
        #expect(failure.json["error"]?.object?.names == ["code", "message", "att"])
    }

    @Test func `DeviceIdentity keeps no control characters of a device`() {
        var identity = DeviceIdentity()
        func note(_ text: String) -> Bool { identity.note(.value(.string(text), unit: nil), of: 0x2A29) }
        #expect(note("\u{1B}[31mACME\u{9B}\u{202E} Ltd\r\n\u{0}\u{0}"))
        #expect(identity.info == ["manufacturer": "[31mACME Ltd"])
        #expect(identity.homeAssistant == ["manufacturer": "[31mACME Ltd"])
        let isRepeated = note("[31mACME Ltd\u{0}")
        #expect(!isRepeated)
        let isEmpty = note("\u{0}\u{7}")
        #expect(!isEmpty && identity.info.count == 1)
        #expect(note("Größe 👩‍🔧"))
        #expect(identity.info == ["manufacturer": "Größe 👩‍🔧"])
    }
}
