internal import Bridge
internal import Configuration
internal import EventLoop
internal import MQTT

/// Whether the broker takes the bridge in.
struct BrokerExamination {
    private let configuration: Configuration
    private let file: ConfigurationFile
    private let loop: EventLoop

    init(_ configuration: Configuration, of file: ConfigurationFile, on loop: EventLoop) {
        self.configuration = configuration
        self.file = file
        self.loop = loop
    }

    func findings(isolation: isolated (any Actor)? = #isolation) async -> [Diagnosis] {
        let events = Mailbox<Client.Event>()
        let client: Client
        do {
            // Not the bridge's own name: the broker would throw it out.
            let identifier = "bluefleet-doctor-\(configuration.gateway)"
            var settings = try Client.Settings(configuration.broker, identifier: identifier)
            settings.patience = .seconds(8)
            client = try Client(settings, on: loop) { events.put($0) }
        } catch {
            return [.wrong("broker", "\(error)", nil, status: .badConfiguration)]
        }
        let deadline = loop.schedule(after: .seconds(10)) { events.close() }
        client.start()
        let event = await events.next()
        deadline.cancel()
        await client.close()
        return [diagnosis(event)]
    }

    func diagnosis(_ event: Client.Event?) -> Diagnosis {
        let url = configuration.broker.endpoint.url
        switch event {
        case .connected: return .ok("broker", "\(url) takes us in\(user)")
        case .refused(let refusal, _):
            let (remedy, status) = answer(to: refusal.reason)
            return .wrong("broker", "\(url) refuses us\(user): \(refusal)", remedy, status: status)
        case .disconnected(let reason, _):
            return .wrong("broker", "\(url) cannot be reached: \(reason)", remedy(for: reason))
        default: return .wrong("broker", "\(url) does not answer", startCommand)
        }
    }

    private var user: String {
        configuration.broker.username.map { " as \($0)" } ?? ""
    }

    /// What mends a refusal, and the status that it has.
    private func answer(to reason: Refusal.Reason) -> (remedy: String, status: ExitStatus) {
        let log = atBroker("sudo tail /var/log/mosquitto/mosquitto.log")
        switch reason {
        case .badCredentials, .notAuthorized:
            let user = configuration.broker.username ?? "bluefleet"
            // Where config/installing.md has them; mosquitto reads them when it starts and when it is told to.
            let password = "sudo -u mosquitto mosquitto_passwd /etc/mosquitto/bluefleet/passwd \(user)"
            return (atBroker("\(password) && sudo systemctl reload mosquitto"), .noPermission)
        case .unsupportedVersion:
            let other = configuration.broker.protocolVersion == .five ? "3.1.1" : "5"
            return ("\(file.name), mqtt: protocol: \(other)", .badConfiguration)
        // It is made of the gateway's name.
        case .identifierRejected: return ("\(file.name), gateway", .badConfiguration)
        case .banned: return (log, .noPermission)
        case .unsupportedQualityOfService: return ("\(file.name), mqtt: qos", .badConfiguration)
        case .unavailable, .unsupportedRetaining, .other: return (log, .unavailable)
        }
    }

    private func remedy(for reason: String) -> String {
        if reason.hasPrefix("certificate") || reason.hasPrefix("host name") {
            return "openssl s_client -connect \(configuration.broker.endpoint.address) < /dev/null"
        }
        // It hung up: it expects something else than what it was told.
        if reason.hasPrefix("the ") { return "\(file.name), mqtt: url" }
        return startCommand
    }

    private var startCommand: String {
        guard isHere else { return atBroker("sudo systemctl status mosquitto") }
        return ChildProcess.path(of: "mosquitto") == nil
            ? "sudo apt install mosquitto" : "sudo systemctl enable --now mosquitto"
    }

    private func atBroker(_ command: String) -> String {
        isHere ? command : "on the broker's machine: \(command)"
    }

    private var isHere: Bool {
        switch configuration.broker.endpoint {
        case .tcp(let host, _), .tls(let host, _): ["localhost", "127.0.0.1", "::1"].contains(host)
        case .socket: true
        }
    }
}
