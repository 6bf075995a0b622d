internal import BlueZ
internal import Bluetooth
internal import EventLoop
internal import JSON
internal import MQTT

/// What the gateway tells of itself.
extension Gateway {
    /// Publishes everything that is retained but readings, for those who may know nothing of it.
    func republish() {
        guard let outlet else { return }
        if let message = try? stateMessage("online", outlet) { outlet.client.publish(message, keeping: .latest) }
        tellInfo()
        for device in devices.values { device.assumeIsolated { $0.republish() } }
        toldDiscovery = [:]
        settleRetained()
    }

    func stateMessage(_ state: String, _ outlet: Outlet) throws(TopicError) -> Message {
        let json: JSON = ["state": .string(state)]
        return Message(
            try outlet.topics.bridge("state"), Array(json.description.utf8),
            qualityOfService: outlet.qualityOfService, isRetained: true, properties: outlet.properties())
    }

    func tellInfo() {
        let (state, adapters) = central.assumeIsolated { ($0.state, $0.availableAdapters) }
        let list = adapters.map { adapter -> JSON in
            var members: JSON.Object = [
                "name": .string(adapter.name), "address": .string("\(adapter.address)"),
                "powered": .bool(adapter.isPowered),
            ]
            if let obstacle = adapter.obstacle { members["reason"] = .string(obstacle) }
            return .object(members)
        }
        tell(
            [
                "version": .string(version), "started": .string(started.description),
                "bluetooth": .string(state.rawValue), "reason": .string(bluetoothReason),
                "adapters": .array(list), "devices": .number(JSON.Number(devices.count)),
            ], on: "info")
    }

    /// When the gateway was started, by the wall clock of now: that may have been far off at the start, on machines whose
    /// clock stands still while they are switched off.
    private var started: Timestamp {
        Timestamp(milliseconds: loop.timestamp.milliseconds - (loop.now - startTime).nanoseconds / 1_000_000)
    }

    /// Tells how the gateway is doing, now and then each minute.
    func tellHealth() {
        guard let statistics = outlet?.client.statistics else { return }
        let usage = ResourceUsage.current
        toldConnectionUse = connectionUse
        let health = devices.sorted { $0.key < $1.key }.map { name, device in
            (name, device.assumeIsolated { $0.health })
        }
        tell(
            [
                "memory": .number(JSON.Number(usage.residentBytes)),
                "cpu_seconds": JSON.Number(usage.processorSeconds).map { .number($0) } ?? .null,
                "notifications_per_second": .number(verbatim: notificationRate()),
                "waiting": .number(JSON.Number(statistics.waiting)), "sent": .number(JSON.Number(statistics.sent)),
                "received": .number(JSON.Number(statistics.received)),
                "dropped": .number(JSON.Number(statistics.dropped)),
                "superseded": .number(JSON.Number(statistics.superseded)),
                "expired": .number(JSON.Number(statistics.expired)), "adapters": .array(toldConnectionUse),
                "devices": .object(JSON.Object(health)), "time": .string(loop.timestamp.description),
            ], on: "health")
        healthTimer?.cancel()
        healthTimer = loop.schedule(after: .seconds(60)) { [weak self] in self?.assumeIsolated { $0.minutePassed() } }
    }

    private func minutePassed() {
        tellHealth()
        rememberPeripherals()
        SpareMemory.release()
    }

    /// Notifications a second since the last report, with one decimal place.
    private func notificationRate() -> String {
        let count = devices.values.reduce(0) { $0 + $1.assumeIsolated { $0.history.notifications } }
        let elapsed = loop.now - notifications.time
        // Devices that were removed took theirs along.
        let news = max(0, count - notifications.count)
        notifications = (count, loop.now)
        guard elapsed > .zero else { return "0" }
        return "\((Double(news) / elapsed.inSeconds * 10).rounded() / 10)"
    }

    /// Writes down which links are up, so that whoever comes after a crash knows them for ours, and tells how many.
    ///
    /// Not each change by itself: a memory card has only so many writes in it.
    func linksChanged() {
        guard linksTimer == nil, !isStopping else { return }
        linksTimer = loop.schedule(after: .seconds(5)) { [weak self] in self?.assumeIsolated { $0.tellLinks() } }
    }

    private func tellLinks() {
        linksTimer = nil
        rememberPeripherals()
        if connectionUse != toldConnectionUse { tellHealth() }
    }

    func rememberPeripherals() {
        knownPeripherals.save(central.assumeIsolated { $0.knownPeripherals })
    }

    /// Who has how many of the connections that an adapter can hold.
    private var connectionUse: [JSON] {
        central.assumeIsolated { $0.connectionUse }.map { use in
            [
                "name": .string(use.adapter.name), "address": .string("\(use.adapter.address)"),
                "connections": .number(JSON.Number(use.connections)), "waiting": .number(JSON.Number(use.waiting)),
                "capacity": use.capacity.map { .number(JSON.Number($0)) } ?? .null,
            ]
        }
    }

    private func tell(_ json: JSON, on name: String) {
        guard let outlet, let topic = try? outlet.topics.bridge(name) else { return }
        outlet.state(json, on: topic)
    }
}
