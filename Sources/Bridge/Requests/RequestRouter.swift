import Bluetooth
import Codec
import Configuration
import Contract
import Devices
import EventLoop
import JSON
import Log
import MQTT
import System

// The types of this folder. Three types of other folders have similar names: `CommandQueue` (Devices) holds the requests to
// one device, `RequestAllowance` (Publishing) bounds the bytes of all requests that wait, and `RequestMemory` (Publishing)
// keeps the responses for requests that the broker delivers again.
//
// | type                    | rule                                                              | owner           |
// |-------------------------|-------------------------------------------------------------------|-----------------|
// | `PendingReplies`        | which requests to the gateway wait for their response, and how many of each kind may | `RequestRouter` |
// | `SharedScans`           | which requests share a scan, and how many scans there may be      | `UnmanagedPeripherals` |
// | `LastRequests`          | which requests are still answered while the gateway stops         | `RequestRouter` |
// | `OpenRequests`          | which requests use an unmanaged peripheral at the moment          | `UnmanagedPeripherals` |
// | `LogRelay`              | which lines of the log are published, and how many                | `RequestRouter` |
// | `UnmanagedPeripherals`  | scans, inspects and pairs peripherals that are not configured     | `Gateway`       |
// | `RequestRouter`         | passes each request to its device or performs it                  | `Gateway`       |

/// Passes requests to the devices or performs them, and sends exactly one response to each request to the gateway.
final class RequestRouter: LoopPart {
    /// The reason why a request fails while the gateway stops.
    static let stoppingReason = "the gateway stops"
    /// The reason why a request fails after the configuration has selected another broker.
    static let brokerChangeReason = "the gateway changes to another broker"

    let loop: EventLoop
    private let broker: BrokerLink
    private let fleet: Fleet
    private let unmanaged: UnmanagedPeripherals
    private var reload: Work = { () throws(RequestError) in throw RequestError(.failed, stoppingReason) }
    private var reloads = RateLimit.reloads
    private var backup: Work = { () throws(RequestError) in throw RequestError(.failed, stoppingReason) }
    private var permit: (Duration) throws(RequestError) -> JSON = { _ throws(RequestError) in
        throw RequestError(.failed, stoppingReason)
    }
    private var fleetOverview: () -> FleetOverview? = { nil }
    /// Takes the requests to shared devices; nil: the gateway shares no devices.
    private var sharing: Sharing?
    private let relay: LogRelay
    private let log = Log("gateway")
    /// The topic filters of requests to which the current client is subscribed.
    private var filters = RequestFilters()
    /// The last message, unless it was the second one of two equal ones.
    private var last: Message?
    /// The requests to the gateway that are queued or under way.
    private var pending = PendingReplies()
    private let allowance = RequestAllowance()
    private let responses = ResponseAllowance()
    private let memory = RequestMemory()
    private var lastRequests = LastRequests()
    private var isStopping = false
    /// The large response that is being made or waits for the broker; nil when the broker has it.
    private weak var largeAnswer: LargeAnswer?
    /// Limits the lines of the log about requests that get no response.
    private let unanswered = FailureLines()
    /// The maximum length of the topic of a request, in bytes; a request on a longer topic is ignored before it is parsed.
    private static let longestTopic = 512

    /// - Parameters:
    ///   - fleet: carries out requests to devices and changes of the fleet.
    ///   - unmanaged: carries out requests about other peripherals.
    ///   - broker: sends the responses.
    ///   - loop: the event loop of the gateway.
    init(
        fleet: Fleet, unmanaged: UnmanagedPeripherals, broker: BrokerLink, loop: EventLoop
    ) {
        self.fleet = fleet
        self.unmanaged = unmanaged
        self.broker = broker
        self.loop = loop
        relay = LogRelay(broker: broker, loop: loop)
    }

    /// Sets the work of the requests `reload` and `backup`.
    ///
    /// - Parameters:
    ///   - reload: Loads the configuration file again, as one of the changes of the fleet.
    ///   - backup: Returns the configuration and the state.
    func onReload(_ reload: @escaping Work, backup: @escaping Work) {
        self.reload = reload
        self.backup = backup
    }

    /// Sets the work of the request `permit`, which makes fleet rules adopt devices for a time.
    func onPermit(_ permit: @escaping (Duration) throws(RequestError) -> JSON) {
        self.permit = permit
    }

    /// Sets the source of the response to the request `fleet`.
    func onFleet(_ overview: @escaping () -> FleetOverview?) {
        fleetOverview = overview
    }

    /// The calls to the part that shares devices with other gateways.
    struct Sharing {
        /// Takes a request to a shared device, which `execute` may carry out later; returns false for any other device.
        let take: (_ message: Message, _ device: String) -> Bool
        /// Whether another gateway owns a device, and answers the messages about it.
        let isOwnedElsewhere: (_ device: String) -> Bool
    }

    /// Passes requests to shared devices to another part.
    func share(by sharing: Sharing) {
        self.sharing = sharing
    }

    private var publisher: Publisher? { broker.publisher }

    /// Notes that the gateway begins to stop: of the requests that arrive from now on, only some are answered.
    func willStop() {
        lastRequests.begin()
    }

    /// Answers all open requests to the gateway with a failure, and rejects later ones.
    func stop(because reason: String) {
        isStopping = true
        relay.stop()
        failRequests(for: PendingReplies.Purpose.allCases, because: reason)
    }

    // MARK: Subscriptions

    /// Subscribes to the request topics of the gateway and of its devices, and unsubscribes from those of former devices.
    func subscribe(_ publisher: Publisher) {
        let wanted = publisher.topics.requestFilters(for: fleet.devices.mapValues(\.characteristicNames))
        guard wanted != filters else { return }
        for filter in wanted.requests.subtracting(filters.requests) {
            publisher.client.subscribe(to: filter, Subscription(ignoresOwn: true))
        }
        for filter in wanted.misplaced.subtracting(filters.misplaced) {
            publisher.client.subscribe(to: filter, Subscription(ignoresOwn: true, isOptional: true))
        }
        // Only then: a request in the meantime matches one of both.
        for filter in filters.all.subtracting(wanted.all) { publisher.client.unsubscribe(from: filter) }
        filters = wanted
    }

    /// Forgets the subscriptions of the former client, because the gateway uses another client from now on.
    func forgetSubscriptions() {
        filters = RequestFilters()
    }

    // MARK: Routing

    /// Handles a message on a request topic.
    ///
    /// - Parameters:
    ///   - received: the message.
    ///   - origin: the publisher whose client received it.
    func receive(_ received: Message, by origin: Publisher) {
        var message = received
        // A request of this length is rejected: the rest of it need not wait in memory.
        let excess = message.payload.count - Request.longestPayload - 1
        if excess > 0 { message.payload.removeLast(excess) }
        // A retained request is old: the gateway may have answered it already.
        guard !message.isRetained, let publisher else { return }
        guard message.topic.description.utf8.count <= Self.longestTopic else {
            return warn("a request is ignored: its topic has more than \(Self.longestTopic) bytes", message)
        }
        guard !isRepeated(message) else { return }
        guard let address = address(of: message, by: origin) else {
            return rejectMisplaced(message, by: origin, publisher)
        }
        guard lastRequests.admit(message.payload.count) else { return }
        Log("requests").debug("\(message.topic)", ["bytes": message.payload.count])
        if let device = address.device, sharing?.take(message, device) == true { return }
        // Another process with the name of the gateway answers.
        guard publisher.mayPublish else { return }
        answer(message, to: address, by: origin, publisher)
    }

    /// Carries out a request to a shared device; ignores any other request, which no gateway may send to another one.
    ///
    /// - Parameters:
    ///   - message: The request, as a gateway has received it.
    ///   - device: The name of the device.
    ///   - deferred: Receives the response.
    func execute(_ message: Message, of device: String, _ deferred: DeferredResponse) {
        guard let publisher, let address = address(of: message, by: publisher), address.device == device else { return }
        answer(message, to: address, by: publisher, publisher, deferred)
    }

    /// Answers a request to a shared device with a failure.
    func refuse(_ message: Message, of device: String, because error: RequestError) {
        guard let publisher, let address = address(of: message, by: publisher), address.device == device,
            let topic = try? publisher.topics.response(to: address)
        else { return }
        reject(message, ReplyAddress(message, topic, responseTopic(of: message), by: publisher), error, publisher)
    }

    private func address(of message: Message, by origin: Publisher) -> RequestAddress? {
        origin.topics.address(of: message.topic) { device(asked: $0)?.characteristicNames }
    }

    private func answer(
        _ message: Message, to address: RequestAddress, by origin: Publisher, _ publisher: Publisher,
        _ deferred: DeferredResponse? = nil
    ) {
        do throws(TopicError) {
            let usualTopic = try origin.topics.response(to: address)
            if message.isDuplicate, let first = memory.first(message, of: origin.broker.name, at: loop.now) {
                return respondAgain(to: message, like: first, usualTopic, origin)
            }
            let size = message.payload.count + (message.properties.correlationData?.count ?? 0)
            let reservation = allowance.reserve(size, for: address.device)
            let room = responses.reserve()
            let reply = ReplyAddress(
                message, usualTopic, responseTopic(of: message), by: origin, reservation, room,
                memory.add(message, of: origin.broker.name, at: loop.now), deferred)
            guard reservation != nil, room != nil else {
                let reason =
                    room == nil ? ResponseAllowance.refusal : RequestAllowance.refusal(of: address.device)
                return reject(message, reply, RequestError(.busy, reason), publisher)
            }
            // A request from a former broker was meant for the former configuration.
            guard origin.broker.nameSameBroker(as: publisher.broker) else {
                return reject(message, reply, RequestError(.failed, Self.brokerChangeReason), publisher)
            }
            switch address {
            case .bridge(let verb): gatewayRequest(verb, message, reply, publisher)
            case .device(let device, let verb): deviceRequest(verb, of: device, message, reply, publisher)
            case .get(let device, let name): get(name, of: device, message, reply)
            case .set(let device, let name): set(name, of: device, message, reply, publisher)
            }
        } catch {
            warn("cannot answer a request: \(error)", message)
        }
    }

    /// Sends the response to a request again, because the broker has delivered the request again.
    ///
    /// A request that is still being carried out gets its only response later.
    private func respondAgain(
        to message: Message, like first: RememberedRequest, _ usualTopic: Topic, _ origin: Publisher
    ) {
        Log("requests").debug("\(message.topic): the broker has delivered the request again")
        guard let response = first.response else { return }
        let reply = ReplyAddress(message, usualTopic, responseTopic(of: message), by: origin)
        publisher?.respond(response, to: reply.with(Request.transaction(of: message)))
    }

    /// Returns whether a message arrives a second time in a row because its topic matches several filters.
    private func isRepeated(_ message: Message) -> Bool {
        let isRepeated = message == last && filters.overlap(at: message.topic)
        last = isRepeated ? nil : message
        return isRepeated
    }

    /// Answers a message whose topic resembles one of a request with the right topic; ignores any other message, such as a
    /// request to a device of another gateway.
    private func rejectMisplaced(_ message: Message, by origin: Publisher, _ publisher: Publisher) {
        guard publisher.mayPublish else { return }
        let names = { (name: String) in self.device(asked: name)?.characteristicNames }
        guard let request = origin.topics.misplacedRequest(on: message.topic, names),
            let topic = try? origin.topics.response(to: request.address)
        else { return Log("requests").debug("\(message.topic): there is no such device, characteristic or request") }
        if let device = request.address.device, sharing?.isOwnedElsewhere(device) == true { return }
        guard lastRequests.admit(message.payload.count) else { return }
        let reply = ReplyAddress(message, topic, responseTopic(of: message), by: origin)
        reject(message, reply, request.error, publisher)
    }

    /// Writes a line about a request without a response, unless many such lines were written before.
    private func warn(_ text: String, _ message: Message) {
        if let line = unanswered.line(text, at: loop.now) { log.warning(line, ["topic": message.topic]) }
    }

    /// Returns the Response Topic of a request if the gateway may use it.
    private func responseTopic(of message: Message) -> ReplyAddress.ResponseTopic? {
        guard let topic = message.properties.responseTopic else { return nil }
        let mayRespond = broker.mayRespond(on: topic) { fleet.device(asked: $0) != nil }
        if mayRespond { return broker.responseTopic(topic) }
        Log("requests").debug("\(message.topic): no response is published on the Response Topic \(topic)")
        return nil
    }

    private func device(asked name: String) -> Device? { fleet.device(asked: name) }

    private func reject(
        _ message: Message, _ reply: ReplyAddress, _ error: RequestError, _ publisher: Publisher
    ) {
        publisher.respond(.failure(error), to: reply.with(Request.transaction(of: message)))
    }

    private func gatewayRequest(_ verb: String, _ message: Message, _ reply: ReplyAddress, _ publisher: Publisher) {
        do throws(RejectedRequest) {
            let request = try Request.parse(message, of: GatewayCommand.Verb(rawValue: verb)?.reference)
            let call = Call(request.timeToLive, reply.with(request.transaction))
            do throws(RequestError) {
                perform(try GatewayCommand(verb: verb, request.parameters), call, publisher)
            } catch {
                publisher.respond(.failure(error), to: call.reply)
            }
        } catch {
            publisher.respond(.failure(error.error), to: reply.with(error.transaction))
        }
    }

    private func deviceRequest(
        _ verb: String, of name: String, _ message: Message, _ reply: ReplyAddress, _ publisher: Publisher
    ) {
        guard let device = device(asked: name) else { return }
        do throws(RejectedRequest) {
            let request = try Request.parse(message, of: DeviceCommand.Verb(rawValue: verb)?.reference)
            let call = Call(request.timeToLive, reply.with(request.transaction))
            do throws(RequestError) {
                pass(try DeviceCommand(verb: verb, request.parameters), call, to: device)
            } catch {
                publisher.respond(.failure(error), to: call.reply)
            }
        } catch {
            publisher.respond(.failure(error.error), to: reply.with(error.transaction))
        }
    }

    /// Handles a message on `NAME/get`: any payload; an object may contain a transaction and a time to live.
    private func get(_ name: String, of device: String, _ message: Message, _ reply: ReplyAddress) {
        guard let device = self.device(asked: device) else { return }
        let request = Request(get: message)
        pass(.read(name), Call(request.timeToLive, reply.with(request.transaction)), to: device)
    }

    /// Handles a message on `NAME/set`: the value.
    ///
    /// An object may contain a transaction and a time to live in addition to the fields of the value.
    private func set(
        _ name: String, of device: String, _ message: Message, _ reply: ReplyAddress, _ publisher: Publisher
    ) {
        guard let device = self.device(asked: device) else { return }
        let format = device.configuration.characteristics.first { $0.name == name }?.writtenFormat
        do throws(RejectedRequest) {
            let request = try SetRequest(message, on: "\(device.name)/\(name)", of: format)
            let command = DeviceCommand.set(name, request.value, operation: format?.operation(in: request.value))
            pass(command, Call(request.timeToLive, reply.with(request.transaction)), to: device)
        } catch {
            let obstacle = device.enter { $0.obstacle(toWriting: name) }
            publisher.respond(.failure(obstacle ?? error.error), to: reply.with(error.transaction))
        }
    }

    private func pass(_ command: DeviceCommand, _ request: Call, to device: Device) {
        device.enter { $0.accept(command, timeToLive: request.timeToLive, reply: request.reply) }
    }

    // MARK: Requests to the gateway

    private func perform(_ command: GatewayCommand, _ request: Call, _ publisher: Publisher) {
        let (fleet, unmanaged, limit) = (fleet, unmanaged, request.timeToLive)
        switch command {
        case .scan(let duration):
            answer(request, as: .scan) { () throws(RequestError) in try await unmanaged.scan(for: duration) }
        case .inspect(let partner):
            guard let address = subject(partner, request, publisher)?.address else { return }
            let device = fleet.device(at: address)
            if let device, device.configuration.connect != .never {
                pass(.inspect, request, to: device)
            } else {
                answer(request, as: .connection) { () throws(RequestError) in
                    try await unmanaged.inspect(address, within: limit)
                }
            }
        case .pair(let partner, let passkey):
            guard let subject = subject(partner, request, publisher) else { return }
            pair(subject, passkey, request)
        case .unpair(let partner):
            guard let address = subject(partner, request, publisher)?.address else { return }
            answer(request, as: .connection) { () throws(RequestError) in try await unmanaged.unpair(address) }
        case .add(let name, let entry):
            change(request) { () throws(RequestError) in try await fleet.add(name, entry) }
        case .remove(let name): change(request) { () throws(RequestError) in try await fleet.remove(name) }
        case .rename(let name, let newName):
            change(request) { () throws(RequestError) in try await fleet.rename(name, to: newName) }
        case .options(let target, let options):
            change(request) { () throws(RequestError) in try await fleet.setOptions(of: target, options) }
        case .permit(let duration):
            let permit = permit
            answer(request, as: .quick) { () throws(RequestError) in try permit(duration) }
        case .reload:
            guard reloads.admit(at: loop.now) else {
                let error = RequestError(.busy, "reload: too many requests: try again in \(reloads.interval.text)")
                return publisher.respond(.failure(error), to: request.reply)
            }
            change(request, as: .reload, by: reload)
        case .backup: answerLarge(request, by: backup)
        case .spool(let drops):
            let spooler = broker.spooler
            answer(request, as: .quick) { () throws(RequestError) in try await spooler.answer(drops: drops) }
        case .fleet:
            guard let overview = fleetOverview() else {
                let error = RequestError(.notSupported, "fleet: this gateway shares no devices: set share: true")
                return publisher.respond(.failure(error), to: request.reply)
            }
            publisher.respond(.success(ResponseData.fleet(overview).json), to: request.reply)
        case .log(let duration, let level):
            let data = relay.start(for: duration, from: level.level)
            publisher.respond(.success(data), to: request.reply)
        case .logLevel(let level):
            if let level { Log.level = level.level }
            publisher.respond(
                .success(ResponseData.logLevel(Configuration.LogLevel(Log.level)).json), to: request.reply)
        }
    }

    /// A request that was parsed: how long it may wait, and the destination of its response.
    private struct Call {
        let timeToLive: Duration
        let reply: ReplyAddress

        init(_ timeToLive: Duration, _ reply: ReplyAddress) {
            self.timeToLive = timeToLive
            self.reply = reply
            reply.remembered?.keep(for: timeToLive)
        }
    }

    /// The managed device or the unmanaged peripheral of a request about a bond.
    private enum Subject {
        case device(Device)
        case peripheral(Address)

        var address: Address {
            switch self {
            case .device(let device): device.configuration.address
            case .peripheral(let address): address
            }
        }
    }

    /// Returns the device to which a request applies; if there is none, responds with an error and returns nil.
    private func subject(
        _ partner: GatewayCommand.Partner, _ request: Call, _ publisher: Publisher
    ) -> Subject? {
        switch partner {
        case .device(let name):
            if let device = device(asked: name) { return .device(device) }
            let error = RequestError(unknownDevice: name, among: fleet.devices.keys.sorted())
            publisher.respond(.failure(error), to: request.reply)
            return nil
        case .address(let address):
            // A request with the address of a managed device is a request to the device.
            let device = fleet.device(at: address)
            return device.map { .device($0) } ?? .peripheral(address)
        }
    }

    private func pair(_ subject: Subject, _ passkey: Passkey?, _ request: Call) {
        switch subject {
        case .device(let device): pass(.pair(passkey), request, to: device)
        case .peripheral(let address):
            if let passkey { unmanaged.answer(address, passkey) }
            let (unmanaged, limit) = (unmanaged, request.timeToLive)
            answer(request, as: .connection) { () throws(RequestError) in
                try await unmanaged.pair(address, passkey, within: limit)
            }
        }
    }

    // MARK: Responses

    typealias Work = () async throws(RequestError) -> JSON

    /// Answers a request with the result of `work`, or with a failure if the gateway stops before the end of `work`.
    private func answer(_ request: Call, as purpose: PendingReplies.Purpose, by work: @escaping Work) {
        guard let number = begin(request, for: purpose) else { return }
        spawn { await $0.finish(number, with: work) }
    }

    /// Answers a request with a response of up to megabytes: one at a time, until the broker has accepted the response.
    private func answerLarge(_ request: Call, by work: @escaping Work) {
        guard largeAnswer == nil else { return refuse(request, .large) }
        let place = LargeAnswer()
        largeAnswer = place
        answer(Call(request.timeToLive, request.reply.holding(place)), as: .large, by: work)
    }

    /// Answers a request with the result of a change of the fleet, which runs after the earlier changes.
    private func change(
        _ request: Call, as purpose: PendingReplies.Purpose = .change, by work: @escaping Work
    ) {
        guard let number = begin(request, for: purpose) else { return }
        fleet.change { [self] in await finish(number, with: work) }
    }

    /// - Returns: The number of the request; nil if it was rejected.
    private func begin(_ request: Call, for purpose: PendingReplies.Purpose) -> Int? {
        guard !isStopping else {
            publisher?.respond(.failure(RequestError(.failed, Self.stoppingReason)), to: request.reply)
            return nil
        }
        guard !pending.isFull(purpose) else {
            refuse(request, purpose)
            return nil
        }
        return pending.add(request.reply, for: purpose)
    }

    private func refuse(_ request: Call, _ purpose: PendingReplies.Purpose) {
        let requests = purpose.places == 1 ? "1 such request is" : "\(purpose.places) such requests are"
        let error = RequestError(.busy, "\(requests) being carried out already: try again later")
        publisher?.respond(.failure(error), to: request.reply)
    }

    private func finish(_ number: Int, with work: Work) async {
        let outcome: Result<JSON, RequestError>
        do throws(RequestError) {
            outcome = .success(try await work())
        } catch {
            outcome = .failure(error)
        }
        if let reply = pending.take(number) { publisher?.respond(outcome, to: reply) }
    }

    /// Answers open requests to the gateway with a failure; the work of the requests continues without a response.
    func failRequests(for purposes: [PendingReplies.Purpose], because reason: String) {
        for reply in pending.takeAll(for: purposes) {
            publisher?.respond(.failure(RequestError(.failed, reason)), to: reply)
        }
    }
}
