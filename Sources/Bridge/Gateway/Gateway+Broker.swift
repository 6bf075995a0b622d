internal import Bluetooth
internal import Configuration
internal import EventLoop
internal import JSON
internal import Log
internal import MQTT

/// The broker's side: the connection, and the requests that come over it.
extension Gateway {
    /// The way to the broker that a configuration names.
    func makeOutlet(_ configuration: Configuration) throws(GatewayError) -> Outlet {
        let broker = configuration.broker
        let topics = Topics(prefix: broker.prefix, gateway: configuration.gateway)
        let qualityOfService = QualityOfService(rawValue: Int32(broker.qos)) ?? .atLeastOnce
        do {
            var settings = try Client.Settings(broker, identifier: "bluefleet-\(configuration.gateway)")
            let offline: JSON = ["state": "offline"]
            settings.will = Message(
                try topics.bridge("state"), Array(offline.description.utf8), qualityOfService: qualityOfService,
                isRetained: true, properties: Message.Properties(from: configuration.gateway))
            outletCount += 1
            let number = outletCount
            let client = try Client(settings, on: loop) { [weak self] event in
                self?.assumeIsolated { $0.happened(event, at: number) }
            }
            for filter in try topics.bridgeRequests() { client.subscribe(to: filter) }
            if let status = configuration.homeAssistantStatus { client.subscribe(to: TopicFilter(status)) }
            return Outlet(
                number: number, client: client, broker: broker.endpoint, topics: topics,
                qualityOfService: qualityOfService, gateway: configuration.gateway,
                eventTopic: try topics.bridge("event"))
        } catch {
            throw GatewayError("mqtt: \(error)")
        }
    }

    private var brokerURL: String { configuration.broker.endpoint.url }

    /// Something has happened on a way to a broker.
    ///
    /// - Parameter number: which way: that of now, or one that is being given up, whose requests are still answered.
    func happened(_ event: Client.Event, at number: Int) {
        if let outlet, outlet.number == number { return happened(event, at: outlet) }
        guard let former = formerOutlets.first(where: { $0.number == number }) else { return }
        if case .received(let message) = event { received(message, by: former) }
    }

    private func happened(_ event: Client.Event, at outlet: Outlet) {
        switch event {
        case .connected:
            rivalry.connected(at: loop.now)
            log.always.info("connected to the broker at \(brokerURL)")
            republish()
            tellHealth()
            for device in devices.values { device.assumeIsolated { $0.republishReadings() } }
        case .refused(let refusal, let delay):
            log.error("the broker at \(brokerURL) refuses us: \(refusal)", ["retry_in": delay.text])
        case .disconnected(let reason, let delay):
            let isRivalry = rivalry.disconnected(at: loop.now)
            let hint = isRivalry ? "; another gateway may have the name \(configuration.gateway)" : ""
            log.always.warning(
                "no connection to the broker at \(brokerURL): \(reason)\(hint)", ["retry_in": delay.text])
        case .received(let message):
            if message.topic == configuration.homeAssistantStatus {
                homeAssistantStarted(message)
            } else {
                received(message, by: outlet)
            }
        case .subscribed: break
        case .subscriptionRefused(let filter, let reason):
            log.error("the broker refuses the subscription to \(filter): \(reason)")
        case .fellBehind: brokerFellBehind()
        case .caughtUp: brokerCaughtUp()
        case .undeliverable(let message, let reason):
            log.error("cannot publish on \(message.topic): \(reason)")
        }
    }

    // MARK: Requests

    /// Asks the broker for the requests to the devices that there are, and for no others.
    func listen(_ outlet: Outlet) {
        let filters = outlet.topics.requests(to: devices.mapValues(\.names))
        for filter in requestFilters.subtracting(filters) { outlet.client.unsubscribe(from: filter) }
        for filter in filters.subtracting(requestFilters) {
            outlet.client.subscribe(to: filter, Subscription(ignoresOwn: true))
        }
        requestFilters = filters
    }

    private func received(_ message: Message, by origin: Outlet) {
        // A retained request is one of the past, which was answered then.
        guard !message.isRetained, let outlet else { return }
        let address = origin.topics.address(of: message.topic) { name in device(asked: name)?.names }
        guard let address else { return }
        do throws(TopicError) {
            let reply = ReplyAddress(message, try origin.topics.response(to: address), by: origin)
            // Who asks another broker's gateway means something that this one is no more.
            guard origin.broker == outlet.broker else { return refuse(message, reply, Self.departureReason) }
            switch address {
            case .bridge(let verb): bridgeRequest(verb, message, reply, outlet)
            case .device(let device, let verb): deviceRequest(verb, of: device, message, reply, outlet)
            case .get(let device, let name): get(name, of: device, message, reply)
            case .set(let device, let name): set(name, of: device, message, reply, outlet)
            }
        } catch {
            log.warning("a request cannot be answered: \(error)", ["topic": message.topic])
        }
    }

    /// Why a broker's requests are not carried out any more.
    static let departureReason = "the gateway goes to another broker"

    private func refuse(_ message: Message, _ reply: ReplyAddress, _ reason: String) {
        var reply = reply
        reply.transaction = (try? Request.json(message.payload))?["transaction"]
        outlet?.respond(.failure(RequestError(.failed, reason)), to: reply)
    }

    /// Who answers the requests to a device.
    func device(asked name: String) -> Device? { devices[name] ?? leaving[name] }

    /// The same by its address.
    func device(at address: Address) -> Device? {
        let isThere = { (device: Device) in device.configuration.address == address }
        return devices.values.first(where: isThere) ?? leaving.values.first(where: isThere)
    }

    private func bridgeRequest(_ verb: String, _ message: Message, _ reply: ReplyAddress, _ outlet: Outlet) {
        do throws(RejectedRequest) {
            let request = try Request(verb: message, reply)
            do throws(RequestError) {
                perform(try GatewayCommand(verb: verb, request.parameters), request)
            } catch {
                outlet.respond(.failure(error), to: request.reply)
            }
        } catch {
            outlet.respond(.failure(error.error), to: error.reply)
        }
    }

    private func deviceRequest(
        _ verb: String, of name: String, _ message: Message, _ reply: ReplyAddress, _ outlet: Outlet
    ) {
        guard let device = device(asked: name) else { return }
        do throws(RejectedRequest) {
            let request = try Request(verb: message, reply)
            do throws(RequestError) {
                let command = try DeviceCommand(verb: verb, request.parameters)
                device.assumeIsolated { $0.accept(command, timeToLive: request.timeToLive, reply: request.reply) }
            } catch {
                outlet.respond(.failure(error), to: request.reply)
            }
        } catch {
            outlet.respond(.failure(error.error), to: error.reply)
        }
    }

    /// `NAME/get`: any payload; one that is an object may give a transaction and a time to live.
    private func get(_ name: String, of device: String, _ message: Message, _ reply: ReplyAddress) {
        guard let device = self.device(asked: device) else { return }
        let request = Request(get: message, reply)
        device.assumeIsolated { $0.accept(.read(name), timeToLive: request.timeToLive, reply: request.reply) }
    }

    /// `NAME/set`: the value itself; an object may carry more beside its fields.
    private func set(
        _ name: String, of device: String, _ message: Message, _ reply: ReplyAddress, _ outlet: Outlet
    ) {
        guard let device = self.device(asked: device) else { return }
        let fields = device.configuration.characteristics.first { $0.name == name }?.fieldNames
        do throws(RejectedRequest) {
            let request = try SetRequest(message, fields: fields ?? [], reply)
            let command = DeviceCommand.set(name, request.value)
            device.assumeIsolated { $0.accept(command, timeToLive: request.timeToLive, reply: request.reply) }
        } catch {
            outlet.respond(.failure(error.error), to: error.reply)
        }
    }
}
