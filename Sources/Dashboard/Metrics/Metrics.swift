import Bluetooth
package import Configuration
import Contract
import JSON
package import System

/// The metrics of all gateways, and of the dashboard itself.
package struct Metrics {
    /// The figures of the dashboard itself.
    package struct Own: Sendable {
        package var version = ""
        /// The version of Swift with which the dashboard is built.
        package var swift = ""
        package var start = Timestamp(milliseconds: 0)
        package var processorSeconds = 0.0
        package var residentBytes = 0
        package var openDescriptors = 0
        package var isConnected = false
        /// The number of connections to the broker since the start.
        package var connections = 0
        /// The number of requests that the page has sent, by verb and code of the response.
        package var requests: [Request: Int] = [:]

        package init() {}
    }

    package struct Request: Hashable, Sendable {
        package let verb: String
        package let code: String

        package init(verb: String, code: String) {
            self.verb = verb
            self.code = code
        }
    }

    private static let mostReadings = 20_000

    private var text: MetricsText
    private let level: Configuration.Dashboard.Metrics
    private let world: World

    /// - Parameters:
    ///   - world: The gateways and devices.
    ///   - level: The parts that are included.
    ///   - isOpenMetrics: Whether the text has the format OpenMetrics; otherwise that of Prometheus.
    package init(_ world: World, _ level: Configuration.Dashboard.Metrics, isOpenMetrics: Bool) {
        self.world = world
        self.level = level
        text = MetricsText(isOpenMetrics: isOpenMetrics)
    }

    /// Returns the text.
    ///
    /// Without the broker, only the dashboard's own metrics: old values would look like new ones.
    package mutating func text(_ own: Own, at now: Instant) -> [UInt8] {
        addOwn(own)
        guard own.isConnected else { return text.bytes }
        for name in world.gatewayNames {
            if let record = world.gateways[name] { addGateway(name, record) }
        }
        let summaries = world.summaries
        addCounts(of: summaries)
        if level != .gateways { for summary in summaries { addDevice(summary) } }
        if level == .all { addReadings(of: summaries, at: now) }
        return text.bytes
    }

    // MARK: The dashboard

    private static let build = MetricFamily(.info, "bluefleet_build", "The version of the dashboard and of Swift.")
    private static let start = MetricFamily(
        .gauge, "bluefleet_start_time", unit: "seconds", "The start of the dashboard, in seconds since 1970.")
    private static let processor = MetricFamily(
        .counter, "process_cpu", unit: "seconds", "The processor time of the dashboard.")
    private static let memory = MetricFamily(
        .gauge, "process_resident_memory", unit: "bytes", "The memory of the dashboard.")
    private static let descriptors = MetricFamily(
        .gauge, "process_open_fds", "The number of file descriptors of the dashboard.")
    private static let broker = MetricFamily(
        .gauge, "bluefleet_broker_connected", "Whether the dashboard is connected to the broker.")
    private static let connections = MetricFamily(
        .counter, "bluefleet_dashboard_connections", "The connections of the dashboard to the broker.")
    private static let requests = MetricFamily(
        .counter, "bluefleet_requests", "The requests of the page, by verb and code of the response.")

    private mutating func addOwn(_ own: Own) {
        text.add(Self.build, [("version", own.version), ("swift", own.swift)], 1)
        text.add(Self.start, [], number: Double(own.start.milliseconds) / 1000)
        text.add(Self.processor, [], number: own.processorSeconds)
        text.add(Self.memory, [], own.residentBytes)
        text.add(Self.descriptors, [], own.openDescriptors)
        text.add(Self.broker, [], own.isConnected ? 1 : 0)
        text.add(Self.connections, [], own.connections)
        for (request, count) in own.requests.sorted(by: { ($0.key.verb, $0.key.code) < ($1.key.verb, $1.key.code) }) {
            text.add(Self.requests, [("verb", request.verb), ("code", request.code)], count)
        }
    }

    // MARK: Gateways

    private static let gateway = MetricFamily(
        .info, "bluefleet_gateway", "The version of a gateway and of its bluetoothd.")
    private static let gatewayUp = MetricFamily(.gauge, "bluefleet_gateway_up", "Whether a gateway is online.")
    private static let gatewayMemory = MetricFamily(
        .gauge, "bluefleet_gateway_memory", unit: "bytes", "The memory of a gateway.")
    private static let gatewayProcessor = MetricFamily(
        .counter, "bluefleet_gateway_cpu", unit: "seconds", "The processor time of a gateway.")
    private static let brokerConnections = MetricFamily(
        .counter, "bluefleet_broker_connections", "The connections of a gateway to the broker.")
    private static let waiting = MetricFamily(
        .gauge, "bluefleet_messages_waiting", "The messages of a gateway that are queued for the broker.")
    private static let waitingBytes = MetricFamily(
        .gauge, "bluefleet_messages_waiting", unit: "bytes",
        "The memory of the messages that are queued for the broker.")
    private static let sent = MetricFamily(
        .counter, "bluefleet_messages_sent", "The messages of a gateway that the broker has accepted.")
    private static let received = MetricFamily(
        .counter, "bluefleet_messages_received", "The messages of the broker to a gateway.")
    private static let dropped = MetricFamily(
        .counter, "bluefleet_messages_dropped", "The messages of a gateway that were lost.")
    private static let superseded = MetricFamily(
        .counter, "bluefleet_messages_superseded", "The queued messages of a gateway that newer ones replaced.")
    private static let expired = MetricFamily(
        .counter, "bluefleet_messages_expired", "The queued messages of a gateway that reached their expiry.")
    private static let spoolWaiting = MetricFamily(
        .gauge, "bluefleet_spool_waiting", "The messages of a gateway on the disk.")
    private static let spoolBytes = MetricFamily(
        .gauge, "bluefleet_spool_size", unit: "bytes", "The size of the messages of a gateway on the disk.")
    private static let spoolDropped = MetricFamily(
        .counter, "bluefleet_spool_dropped", "The messages of a gateway that the disk had no room for.")
    private static let adapterInfo = MetricFamily(.info, "bluefleet_adapter", "The address of an adapter.")
    private static let adapterPowered = MetricFamily(
        .gauge, "bluefleet_adapter_powered", "Whether an adapter is on.")
    private static let adapterConnections = MetricFamily(
        .gauge, "bluefleet_adapter_connections", "The connections of an adapter that are in use.")
    private static let adapterCapacity = MetricFamily(
        .gauge, "bluefleet_adapter_connections_capacity", "The greatest number of connections of an adapter.")
    private static let adapterWaiting = MetricFamily(
        .gauge, "bluefleet_adapter_connections_waiting", "The devices that wait for a connection of an adapter.")
    private static let adapterAdvertisements = MetricFamily(
        .counter, "bluefleet_adapter_advertisements",
        "The advertisements of all devices that bluetoothd has reported for an adapter.")
    private static let adapterScanning = MetricFamily(
        .counter, "bluefleet_adapter_scanning", unit: "seconds", "How long an adapter has scanned.")
    private static let adapterConnecting = MetricFamily(
        .counter, "bluefleet_adapter_connecting", unit: "seconds", "How long an adapter has tried to connect.")
    private static let repairs = MetricFamily(
        .counter, "bluefleet_adapter_repairs", "The repairs of an adapter since the start of the dashboard.")

    private mutating func addGateway(_ name: String, _ record: GatewayRecord) {
        let labels = [("gateway", name)]
        text.add(Self.gatewayUp, labels, record.state == .online ? 1 : 0)
        // The other states of a gateway that has ended are old.
        guard record.state == .online else { return }
        if let info = record.info {
            let bluez = info.bluez.map { [("bluez", $0)] } ?? []
            text.add(Self.gateway, labels + [("version", info.version)] + bluez, 1)
            for adapter in Self.distinct(info.adapters, \.name) {
                let own = labels + [("adapter", adapter.name)]
                text.add(Self.adapterInfo, own + [("address", adapter.address.description)], 1)
                text.add(Self.adapterPowered, own, adapter.isPowered ? 1 : 0)
            }
        }
        if let health = record.health { addHealth(health, labels) }
        for adapter in Self.distinct(record.adapters?.adapters ?? record.health?.adapters ?? [], \.name) {
            let own = labels + [("adapter", adapter.name)]
            text.add(Self.adapterConnections, own, adapter.connections)
            text.add(Self.adapterCapacity, own, adapter.capacity)
            text.add(Self.adapterWaiting, own, adapter.waiting)
        }
        for adapter in Self.distinct(record.health?.adapters ?? [], \.name) {
            let own = labels + [("adapter", adapter.name)]
            text.add(Self.adapterAdvertisements, own, adapter.radio?.advertisements)
            text.add(Self.adapterScanning, own, adapter.radio?.scanningSeconds)
            text.add(Self.adapterConnecting, own, adapter.radio?.connectingSeconds)
        }
        let repairs = record.repairs.sorted { ($0.key.adapter, $0.key.step) < ($1.key.adapter, $1.key.step) }
        for (repair, count) in repairs {
            text.add(Self.repairs, labels + [("adapter", repair.adapter), ("step", repair.step)], count)
        }
    }

    /// Returns up to 16 adapters with different names: Prometheus rejects two series with the same labels.
    private static func distinct<Adapter>(_ adapters: [Adapter], _ name: KeyPath<Adapter, String>) -> [Adapter] {
        var names: Set<String> = []
        return adapters.prefix(16).filter { names.insert($0[keyPath: name]).inserted }
    }

    private mutating func addHealth(_ health: GatewayHealth, _ labels: [(String, String)]) {
        text.add(Self.gatewayMemory, labels, health.memory)
        text.add(Self.gatewayProcessor, labels, number: health.processorSeconds)
        text.add(Self.brokerConnections, labels, health.brokerConnects)
        text.add(Self.waiting, labels, health.messages.waiting)
        text.add(Self.waitingBytes, labels, health.messages.waitingBytes)
        text.add(Self.sent, labels, health.messages.sent)
        text.add(Self.received, labels, health.messages.received)
        text.add(Self.dropped, labels, health.messages.dropped)
        text.add(Self.superseded, labels, health.messages.superseded)
        text.add(Self.expired, labels, health.messages.expired)
        text.add(Self.spoolWaiting, labels, health.spool.waiting)
        text.add(Self.spoolBytes, labels, health.spool.bytes)
        text.add(Self.spoolDropped, labels, health.spool.dropped)
    }

    // MARK: Devices

    private static let devices = MetricFamily(
        .gauge, "bluefleet_devices", "The devices of a gateway, by state.")
    private static let deviceInfo = MetricFamily(
        .info, "bluefleet_device", "The address, the profile and the last adapter of a device.")
    private static let deviceUp = MetricFamily(
        .gauge, "bluefleet_device_up", "Whether a device is online or asleep.")
    private static let deviceConnected = MetricFamily(
        .gauge, "bluefleet_device_connected", "Whether a device is connected.")
    private static let deviceRSSI = MetricFamily(
        .gauge, "bluefleet_device_rssi", unit: "dbm", "The signal strength of a device.")
    private static let deviceLastSeen = MetricFamily(
        .gauge, "bluefleet_device_last_seen_timestamp", unit: "seconds",
        "The last connection, value or advertisement of a device, in seconds since 1970.")
    private static let deviceBattery = MetricFamily(
        .gauge, "bluefleet_device_battery", unit: "ratio", "The charge of the battery of a device.")
    private static let deviceConnects = MetricFamily(
        .counter, "bluefleet_device_connects", "The connections of a device.")
    private static let deviceFailures = MetricFamily(
        .counter, "bluefleet_device_link_failures", "The failed and lost connections of a device.")
    private static let deviceNotifications = MetricFamily(
        .counter, "bluefleet_device_notifications", "The notifications of a device.")
    private static let deviceDecodeFailures = MetricFamily(
        .counter, "bluefleet_device_decode_failures", "The values of a device that do not fit their format.")

    private mutating func addCounts(of summaries: [DeviceSummary]) {
        var counts: [String: [Availability.State: Int]] = [:]
        for summary in summaries {
            guard let gateway = summary.gateway, let state = summary.availability?.state else { continue }
            counts[gateway, default: [:]][state, default: 0] += 1
        }
        for gateway in world.gatewayNames {
            for state in Availability.State.allCases {
                let labels = [("gateway", gateway), ("state", state.rawValue)]
                text.add(Self.devices, labels, counts[gateway]?[state] ?? 0)
            }
        }
    }

    private mutating func addDevice(_ device: DeviceSummary) {
        // A device that no gateway lists is removed, or about to be.
        guard let gateway = device.gateway else { return }
        let labels = [("gateway", gateway), ("device", device.name)]
        var info = labels
        info.append(("address", device.address ?? ""))
        if let profile = device.profile { info.append(("profile", profile)) }
        if let adapter = device.connection?.adapter { info.append(("adapter", adapter)) }
        text.add(Self.deviceInfo, info, 1)
        text.add(Self.deviceUp, labels, device.availability.map { $0.isAvailable ? 1 : 0 })
        guard world.gateways[gateway]?.state != .offline else { return }
        text.add(Self.deviceConnected, labels, device.connection.map { $0.state == .connected ? 1 : 0 })
        text.add(Self.deviceRSSI, labels, device.rssi)
        text.add(Self.deviceLastSeen, labels, number: device.lastSeen.map { Double($0.milliseconds) / 1000 })
        text.add(Self.deviceBattery, labels, number: device.battery?.double.map { $0 / 100 })
        guard let health = device.health else { return }
        text.add(Self.deviceConnects, labels, health.connects)
        text.add(Self.deviceFailures, labels, health.failures.values.reduce(0) { $0 &+ $1 })
        text.add(Self.deviceNotifications, labels, health.notifications)
        text.add(Self.deviceDecodeFailures, labels, health.decodeFailures)
    }

    // MARK: Readings

    private static let other = MetricFamily(
        .gauge, "bluefleet_reading", "A number with a unit that has no metric of its own, or a truth value.")

    /// Adds the present values: a value that is no longer valid has no series, so that a dead sensor does not look alive.
    private mutating func addReadings(of summaries: [DeviceSummary], at now: Instant) {
        var count = 0
        for device in summaries {
            guard let gateway = device.gateway, device.availability?.isAvailable == true else { continue }
            let labels = [("gateway", gateway), ("device", device.name)]
            for (name, reading) in device.readings.sorted(by: { $0.key < $1.key }) where reading.isValid(at: now) {
                count += 1
                guard count <= Self.mostReadings else { return }
                addReading(name, reading, labels)
            }
        }
    }

    private mutating func addReading(_ name: String, _ reading: DashboardReading, _ device: [(String, String)]) {
        let labels = device + [("reading", name)]
        switch reading.content {
        case .number(let number):
            let quantity = reading.unit.flatMap { MetricQuantity.of(name, unit: $0) }
            if let quantity, let value = quantity.value(of: number) {
                text.add(quantity.family, labels, value)
            } else {
                text.add(Self.other, labels + [("unit", reading.unit ?? "")], number.text)
            }
        case .state("true"): text.add(Self.other, labels + [("unit", "")], 1)
        case .state("false"): text.add(Self.other, labels + [("unit", "")], 0)
        case .state: break
        }
    }
}
