import Bridge
import Configuration
import Contract
import EventLoop
import JSON
import MQTT

/// Checks the connection to the broker, or to each node of a cluster, and the login.
struct BrokerChecks {
    private let configuration: Configuration
    private let nodes: BrokerNodes
    private let file: ConfigurationFile
    private let loop: EventLoop

    /// - Parameters:
    ///   - configuration: The configuration.
    ///   - nodes: The nodes to check; nil: those of the configuration.
    ///   - file: The file of the configuration, for messages.
    ///   - loop: The loop.
    init(
        _ configuration: Configuration, at nodes: BrokerNodes? = nil, of file: ConfigurationFile, on loop: EventLoop
    ) {
        self.configuration = configuration
        self.nodes = nodes ?? configuration.broker.nodes
        self.file = file
        self.loop = loop
    }

    /// Returns the findings about each node, and about the bridge, as far as the first node that accepts the login has
    /// its messages.
    func findings(isolation: isolated (any Actor)? = #isolation) async -> [Diagnosis] {
        var (logins, others): ([Diagnosis], [Diagnosis]) = ([], [])
        for node in nodes.endpoints {
            let checks = BrokerChecks(configuration, at: BrokerNodes(node), of: file, on: loop)
            let found = await checks.findings(isFirst: !logins.contains { $0.state == .ok })
            logins += found.prefix(1)
            others += found.dropFirst()
        }
        // The bridge works if one node of a cluster accepts it.
        if logins.contains(where: { $0.state == .ok }) {
            logins = logins.map { $0.state == .ok ? $0 : .advice($0.subject, $0.message, $0.remedy) }
        }
        return logins + others
    }

    /// Returns the finding about the login; if it is accepted, and this is the first such node, also those about the limits
    /// of the broker and about the bridge.
    private func findings(isFirst: Bool, isolation: isolated (any Actor)? = #isolation) async -> [Diagnosis] {
        let events = Mailbox<Client.Event>()
        let client: Client
        do {
            // With the identifier of the bridge, the broker would disconnect a running bridge.
            let identifier = "bluefleet-doctor-\(configuration.gateway)"
            var settings = try Client.Settings(configuration.broker.at(nodes), identifier: identifier)
            settings.connectTimeout = .seconds(8)
            client = try Client(settings, on: loop) { events.put($0) }
        } catch {
            return [.wrong("broker", "\(error)", nil, status: .badConfiguration)]
        }
        let deadline = loop.schedule(after: .seconds(10)) { events.close() }
        client.start()
        let event = await events.next()
        deadline.cancel()
        var findings = [diagnosis(event)]
        if case .connected(_, let limits) = event, isFirst {
            findings += restrictions(limits)
            let bridge = await payloads(client, events)
            let health = bridge[.health].flatMap { GatewayHealth($0) }
            findings += Self.findings(about: health?.broker)
            if let finding = await GatewayAccessCheck.finding(configuration, at: nodes, on: loop) {
                findings.append(finding)
            }
            // The payloads of a bridge that has ended are old.
            if bridge[.state].flatMap({ GatewayState($0) }) == .online {
                findings += Self.findings(about: health?.fleet)
                findings += Self.findings(about: health?.advertisers ?? [])
                findings += bridge[.devices].flatMap { DeviceList($0) }.map { DeviceChecks.findings($0) } ?? []
            }
        }
        await client.close()
        return findings
    }

    private static let topics = [GatewayTopic.state, .health, .devices]

    /// Returns what the bridge has published last; topics that are empty or must not be read are missing.
    private func payloads(
        _ client: Client, _ events: Mailbox<Client.Event>, isolation: isolated (any Actor)? = #isolation
    ) async -> [GatewayTopic: JSON] {
        guard let topics = try? Topics(prefix: configuration.broker.prefix, gateway: configuration.gateway)
        else { return [:] }
        for topic in Self.topics { client.subscribe(to: TopicFilter(topics[topic])) }
        let deadline = loop.schedule(after: .seconds(2)) { events.close() }
        defer { deadline.cancel() }
        var payloads: [GatewayTopic: JSON] = [:]
        while payloads.count < Self.topics.count, let event = await events.next() {
            switch event {
            case .received(let message):
                let topic = Self.topics.first { topics[$0] == message.topic }
                if let topic { payloads[topic] = try? JSON(parsing: message.payload) }
            case .subscriptionRefused, .disconnected: return payloads
            default: continue
            }
        }
        return payloads
    }

    /// Returns the findings about topics and filters that the broker does not accept from the bridge.
    static func findings(about status: BrokerStatus?) -> [Diagnosis] {
        guard let status else { return [] }
        var findings: [Diagnosis] = []
        let refused = status.refused.filter { !$0.isTemporary }
        if let message = message(about: refused, "refused by the broker") {
            let lines = refused.prefix(5).map { "allow the user of the bridge to \($0.action.rawValue): \($0.topic)" }
            findings.append(
                .wrong("broker access", message, lines.joined(separator: "\n"), status: .noPermission))
        }
        if let message = message(about: status.refused.filter(\.isTemporary), "rejected by the broker for the moment") {
            findings.append(
                .advice(
                    "broker limits", message,
                    "if the broker limits messages, set publish_rate in mqtt, e.g. 50 per second"))
        }
        return findings
    }

    /// Returns the finding about the gateways that share devices with the bridge; nil: it shares none.
    static func findings(about fleet: FleetHealth?) -> [Diagnosis] {
        guard let fleet else { return [] }
        guard let decider = fleet.decider else {
            return [
                .wrong(
                    "sharing", "no gateway decides which gateway owns which shared device",
                    "let the user of the bridge write and read PREFIX/bridge/+/fleet/#, and read PREFIX/bridge/+/state",
                    status: .noPermission)
            ]
        }
        let members = fleet.members.joined(separator: ", ")
        return [
            .ok(
                "sharing",
                "\(decider) decides, of \(members); \(fleet.owned) of \(fleet.shared) shared devices are here")
        ]
    }

    /// Returns the findings about advertisements that the bridge cannot send.
    static func findings(about advertisers: [AdvertiserStatus]) -> [Diagnosis] {
        advertisers.compactMap { advertiser in
            guard case .failed(let reason) = advertiser.state else { return nil }
            return .wrong("advertiser", "\(advertiser.name) is not sent: \(reason)", nil)
        }
    }

    private static func message(about refused: [BrokerStatus.Refusal], _ state: String) -> String? {
        guard let first = refused.first else { return nil }
        let others = refused.count == 1 ? "" : " (and \(refused.count - 1) others)"
        return "\(first.topic)\(others) is \(state): \(first.reason)"
    }

    /// Returns the findings about limits of the broker that change what clients receive.
    func restrictions(_ limits: BrokerLimits) -> [Diagnosis] {
        let quality = QualityOfService(rawValue: Int32(configuration.broker.qos)) ?? .atLeastOnce
        return BrokerStatus.restrictions(limits, quality: quality).map {
            .advice("broker limits", $0.effect, $0.remedy)
        }
    }

    func diagnosis(_ event: Client.Event?) -> Diagnosis {
        let url = nodes.url
        switch event {
        case .connected: return .ok("broker", "\(url): login accepted\(user)")
        case .refused(let refusal, _):
            let (remedy, status) = answer(to: refusal.reason)
            return .wrong("broker", "\(url): login rejected\(user): \(refusal)", remedy, status: status)
        case .disconnected(let reason, _, _):
            return .wrong("broker", "\(url) is unreachable: \(reason)", remedy(for: reason))
        default: return .wrong("broker", "\(url) did not answer within 10 s", startCommand)
        }
    }

    private var user: String {
        configuration.broker.username.map { " for user \($0)" } ?? ""
    }

    /// Returns the command that fixes a rejected login, and the exit status.
    private func answer(to reason: Refusal.Reason) -> (remedy: String, status: ExitStatus) {
        let log = onBrokerMachine("sudo tail /var/log/mosquitto/mosquitto.log")
        switch reason {
        case .badCredentials, .notAuthorized:
            let user = configuration.broker.username ?? "bluefleet"
            // The file of config/installing.md, which mosquitto reads at its start and on a reload.
            let password = "sudo -u mosquitto mosquitto_passwd /etc/mosquitto/bluefleet/passwd \(user)"
            return (onBrokerMachine("\(password) && sudo systemctl reload mosquitto"), .noPermission)
        case .unsupportedVersion:
            let other = configuration.broker.protocolVersion == .five ? "3.1.1" : "5"
            return ("in \(file.name), set mqtt.protocol to \(other)", .badConfiguration)
        // The client identifier contains the name of the gateway.
        case .identifierRejected: return ("in \(file.name), change gateway", .badConfiguration)
        case .moved: return ("in \(file.name), change mqtt.url", .badConfiguration)
        case .banned: return (log, .noPermission)
        case .unsupportedQualityOfService: return ("in \(file.name), lower mqtt.qos", .badConfiguration)
        case .unavailable, .unsupportedRetaining, .other: return (log, .unavailable)
        }
    }

    private func remedy(for reason: String) -> String {
        if reason.hasPrefix("certificate") || reason.hasPrefix("host name") {
            return "openssl s_client -connect \(nodes.first.address) < /dev/null"
        }
        // The broker has closed the connection: it probably requires the other of mqtt:// and mqtts://.
        if reason.hasPrefix("the ") { return "in \(file.name), correct mqtt.url" }
        return startCommand
    }

    private var startCommand: String {
        guard isLocal else { return onBrokerMachine("sudo systemctl status mosquitto") }
        return ChildProcess.path(of: "mosquitto") == nil
            ? "sudo apt install mosquitto" : "sudo systemctl enable --now mosquitto"
    }

    private func onBrokerMachine(_ command: String) -> String {
        isLocal ? command : "on the machine of the broker: \(command)"
    }

    private var isLocal: Bool {
        switch nodes.first {
        case .tcp(let host, _), .tls(let host, _): ["localhost", "127.0.0.1", "::1"].contains(host)
        case .socket: true
        }
    }
}
