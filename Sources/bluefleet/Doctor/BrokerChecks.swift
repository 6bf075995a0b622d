import Bridge
import Configuration
import EventLoop
import MQTT

/// Checks the connection to the broker and the login.
struct BrokerChecks {
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
            // With the identifier of the bridge, the broker would disconnect a running bridge.
            let identifier = "bluefleet-doctor-\(configuration.gateway)"
            var settings = try Client.Settings(configuration.broker, identifier: identifier)
            settings.connectTimeout = .seconds(8)
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
        case .connected: return .ok("broker", "\(url): login accepted\(user)")
        case .refused(let refusal, _):
            let (remedy, status) = answer(to: refusal.reason)
            return .wrong("broker", "\(url): login rejected\(user): \(refusal)", remedy, status: status)
        case .disconnected(let reason, _):
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
            return "openssl s_client -connect \(configuration.broker.endpoint.address) < /dev/null"
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
        switch configuration.broker.endpoint {
        case .tcp(let host, _), .tls(let host, _): ["localhost", "127.0.0.1", "::1"].contains(host)
        case .socket: true
        }
    }
}
