internal import Configuration
internal import EventLoop
internal import JSON
internal import Log
internal import MQTT

/// What the broker keeps of the gateway and its devices: told to Home Assistant, and taken back when it is over.
extension Gateway {
    /// Tells Home Assistant what there is, and takes away what an earlier configuration or run left behind.
    ///
    /// Only while the broker is there: what waits for it is told anew at the next connection.
    func settleRetained() {
        guard let outlet, outlet.client.isConnected else { return }
        let before = retained.topics
        let messages = discoveryMessages(outlet)
        let now = RetainedTopics(own: ownTopics(outlet), discovery: messages)
        for topic in before.migrating(to: now) { publish(["migrate_discovery": true], on: topic, outlet) }
        for message in messages {
            let gone = message.gone(from: before.discovery["\(message.topic)"] ?? [:])
            if !gone.isEmpty {
                publish(message.removing(gone).payload, on: "\(message.topic)", outlet)
                toldDiscovery[message.topic] = nil
            }
            tell(message, outlet)
        }
        for topic in before.gone(in: now) { clear(topic, outlet) }
        toldDiscovery = toldDiscovery.filter { now.discovery["\($0.key)"] != nil }
        retained.save(now)
    }

    /// Tells Home Assistant what it was not told before.
    private func tell(_ message: DiscoveryMessage, _ outlet: Outlet) {
        let payload = JSON.object(message.payload)
        let fingerprint = payload.description.hashValue
        guard toldDiscovery.updateValue(fingerprint, forKey: message.topic) != fingerprint else { return }
        outlet.state(payload, on: message.topic)
    }

    private func discoveryMessages(_ outlet: Outlet) -> [DiscoveryMessage] {
        let settings = configuration.homeAssistant
        let origin = Discovery.origin(version: version)
        do throws(TopicError) {
            let gateway = try Discovery(gateway: configuration.gateway, version: version, outlet.topics)
            var messages = try gateway.messages(settings, origin: origin)
            for (_, device) in devices.sorted(by: { $0.key < $1.key }) {
                messages += try discovery(of: device, outlet).messages(settings, origin: origin)
            }
            return messages
        } catch {
            log.error("Home Assistant cannot be told: \(error)")
            return []
        }
    }

    private func discovery(of device: Device, _ outlet: Outlet) throws(TopicError) -> Discovery {
        let (identity, formats, advertised) = device.assumeIsolated {
            ($0.identity, $0.ownFormats, $0.advertised.map(\.quantity))
        }
        return try Discovery(
            device.configuration, identity, formats: formats, advertised: advertised, outlet.topics,
            gateway: configuration.gateway)
    }

    /// Tells Home Assistant what a device has said of itself.
    func announceAgain(_ device: Device) {
        // One that has been renamed or removed has nothing to say under this name.
        guard let outlet, outlet.client.isConnected, devices[device.name] === device else { return }
        let messages = try? discovery(of: device, outlet)
            .messages(configuration.homeAssistant, origin: Discovery.origin(version: version))
        for message in messages ?? [] { tell(message, outlet) }
        // Looking at all devices is worth it only where there are other entities than before.
        let before = retained.topics.discovery
        if messages?.contains(where: { before["\($0.topic)"] != $0.platforms }) == true { settleRetainedSoon() }
    }

    /// Writes down what else is told by now, and takes away what it replaces: at the start many devices say something of
    /// themselves.
    private func settleRetainedSoon() {
        guard retainedTimer == nil else { return }
        retainedTimer = loop.schedule(after: .seconds(2)) { [weak self] in
            self?.assumeIsolated { gateway in
                gateway.retainedTimer = nil
                gateway.settleRetained()
            }
        }
    }

    private func ownTopics(_ outlet: Outlet) -> Set<String> {
        let gateway = ["state", "info", "health"].compactMap { try? outlet.topics.bridge($0) }
        return Set((gateway + devices.values.flatMap { $0.assumeIsolated { $0.retainedTopics } }).map(\.description))
    }

    /// One of several messages on the same topic, each of which counts.
    private func publish(_ payload: JSON.Object, on topic: String, _ outlet: Outlet) {
        guard let topic = try? Topic(topic) else { return }
        let message = Message(
            topic, Array(JSON.object(payload).description.utf8), qualityOfService: outlet.qualityOfService,
            properties: outlet.properties())
        outlet.client.publish(message, keeping: .each)
    }

    func clear(_ topic: String, _ outlet: Outlet) {
        guard let topic = try? Topic(topic) else { return }
        let message = Message(topic, qualityOfService: outlet.qualityOfService, isRetained: true)
        outlet.client.publish(message, keeping: .latest)
    }

    // MARK: Home Assistant's own state

    /// Home Assistant has started, and knows nothing that is not told again.
    func homeAssistantStarted(_ message: Message) {
        guard message.text == "online" else { return }
        // It hears from everybody now: not from all at once.
        birthTimer?.cancel()
        birthTimer = loop.schedule(after: .milliseconds(Int.random(in: 100...1000))) { [weak self] in
            self?.assumeIsolated { $0.tellEverything() }
        }
    }

    private func tellEverything() {
        log.info("Home Assistant has started: it is told everything")
        republish()
    }
}

extension Configuration {
    /// Where Home Assistant says that it has started; nil where nobody is told anything.
    var homeAssistantStatus: Topic? {
        homeAssistant.discovery == .none ? nil : try? Topic("\(homeAssistant.prefix)/status")
    }
}
