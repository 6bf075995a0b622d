import Bridge
import Configuration
import Contract
import EventLoop
import Glibc
import JSON
import MQTT
import System

/// `bluefleet status`: lists the devices of all gateways of a broker.
struct Status: Command {
    static let name = "status"
    static let summary = "lists the devices of all gateways with their states"
    static let details = [
        """
        Reads what the gateways have published at the broker, from any machine that has access to it: the state of each \
        device, since when and why, its last value, and its gateway. Needs only the section mqtt of the configuration, \
        or --url. The state of a device is offline if its gateway is.
        """
    ]
    static let operands = [ConfigurationFile.operand]
    static let options = [url, limit, Option.config, .json]
    static let examples = ["bluefleet status", "bluefleet status --url mqtt://192.168.1.5 --json"]

    private static let url = Option(
        "url", value: "URL", "the broker instead of the one in the configuration, e.g. mqtt://192.168.1.5:1883")
    private static let limit = Option("within", value: "DURATION", "how long to wait for the broker (default: 10s)")

    /// The time without a further retained message after which all of them have arrived.
    private static let silence = Duration.seconds(1)
    /// The same time if each listed device has sent its availability: only readings can follow.
    private static let shortSilence = Duration.milliseconds(250)

    private let file: ConfigurationFile
    private let configuration: Configuration
    private let limit: Duration
    private let asJSON: Bool

    init(_ arguments: Arguments) throws(Failure) {
        file = try ConfigurationFile(operandOf: arguments)
        limit = try arguments.duration(Self.limit) ?? .seconds(10)
        asJSON = arguments.contains(.json)
        configuration = try file.loadBroker(url: arguments[Self.url])
    }

    private enum Event {
        case client(Client.Event)
        case tick(Int)
        case end
        case stop(ExitStatus)
    }

    func run() throws(Failure) {
        try onLoop { home in
            let events = Mailbox<Event>()
            try home.loop.onRequests { request in
                if case .stop(let status) = request { events.put(.stop(status)) }
            }
            let identifier = "bluefleet-status-\(getpid())-\(home.loop.timestamp.milliseconds % 100_000)"
            let client: Client
            do {
                let settings = try Client.Settings(configuration.broker, identifier: identifier)
                client = try Client(settings, on: home.loop) { events.put(.client($0)) }
            } catch {
                throw Failure(.badConfiguration, "\(error)")
            }
            client.subscribe(to: try TopicFilter("\(configuration.broker.prefix)/#"))
            client.start()
            home.loop.schedule(after: limit) { events.put(.end) }
            do throws(Failure) {
                let status = try await collect(events, home.loop)
                await client.close()
                report(status, at: home.loop.timestamp)
            } catch {
                await client.close()
                throw error
            }
        }
    }

    /// Receives messages until all retained ones have arrived.
    private func collect(
        _ events: Mailbox<Event>, _ loop: EventLoop, isolation: isolated (any Actor)? = #isolation
    ) async throws(Failure) -> FleetStatus {
        let broker = configuration.broker
        var status = FleetStatus(below: broker.prefix)
        var isSubscribed = false
        // The number of the timer that counts; each retained message starts another one.
        var round = 0
        while let event = await events.next() {
            switch event {
            case .client(.received(let message)):
                status.receive(message.payload, on: message.topic.description)
                guard message.isRetained, isSubscribed else { continue }
            case .client(.subscribed): isSubscribed = true
            case .client(.subscriptionRefused(let filter, let reason, _)):
                throw Failure(
                    .noPermission,
                    "\(broker.nodes.url) denies the subscription to \(filter): \(reason): allow the user to read it")
            case .client(.connected), .client(.fellBehind), .client(.caughtUp), .client(.undeliverable),
                .client(.kept), .client(.settled), .client(.accessRefused), .client(.accessGranted),
                .client(.postponed), .client(.partlyDelivered):
                continue
            // The next node of the cluster is tried at once.
            case .client(.refused(_, retryIn: .zero)), .client(.disconnected(_, _, retryIn: .zero)): continue
            case .client(let event): throw failure(BrokerChecks(configuration, of: file, on: loop).diagnosis(event))
            case .tick(let number):
                guard number == round else { continue }
                return status
            case .end:
                if isSubscribed { return status }
                throw Failure(.unavailable, "\(broker.nodes.url) did not answer within \(limit.text)")
            case .stop(let status): throw Failure(status)
            }
            round += 1
            let number = round
            loop.schedule(after: status.isComplete ? Self.shortSilence : Self.silence) { events.put(.tick(number)) }
        }
        return status
    }

    private func failure(_ diagnosis: Diagnosis) -> Failure {
        let status: ExitStatus = if case .wrong(let status) = diagnosis.state { status } else { .unavailable }
        return Failure(status, diagnosis.message + (diagnosis.remedy.map { ": \($0)" } ?? ""))
    }

    private func report(_ status: FleetStatus, at now: Timestamp) {
        if asJSON { return _ = StandardStream.output.print(status.json(at: now).description) }
        if status.gateways.isEmpty, status.devices.isEmpty {
            let broker = configuration.broker
            StandardStream.error.print(
                "No gateway has published below \(broker.prefix)/ at \(broker.nodes.url). Check mqtt.prefix and that "
                    + "the user may read; on the gateway: systemctl status bluefleet")
            return
        }
        let columns = Terminal.isAvailable ? Terminal.size.columns : 80
        for line in status.lines(at: now, width: columns - 1) { StandardStream.output.print(line) }
    }
}
