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

    private func diagnosis(_ event: Client.Event?) -> Diagnosis {
        let url = configuration.broker.endpoint.url
        switch event {
        case .connected: return .ok("broker", "\(url) takes us in\(user)")
        case .refused(let refusal, _):
            return .wrong(
                "broker", "\(url) refuses us\(user): \(refusal)",
                "sudo mosquitto_passwd /etc/mosquitto/passwd \(configuration.broker.username ?? "bluefleet")",
                status: .noPermission)
        case .disconnected(let reason, _):
            return .wrong("broker", "\(url) cannot be reached: \(reason)", remedy(for: reason))
        default: return .wrong("broker", "\(url) does not answer", startCommand)
        }
    }

    private var user: String {
        configuration.broker.username.map { " as \($0)" } ?? ""
    }

    private func remedy(for reason: String) -> String {
        if reason.hasPrefix("certificate") || reason.hasPrefix("host name") {
            return "openssl s_client -connect \(configuration.broker.endpoint.address) < /dev/null"
        }
        // It hung up: it expects something else than what it was told.
        if reason.hasPrefix("the ") { return "\(file.path), mqtt: url" }
        return startCommand
    }

    private var startCommand: String {
        guard isHere else { return "on the broker's machine: sudo systemctl status mosquitto" }
        return ChildProcess.path(of: "mosquitto") == nil
            ? "sudo apt install mosquitto" : "sudo systemctl enable --now mosquitto"
    }

    private var isHere: Bool {
        switch configuration.broker.endpoint {
        case .tcp(let host, _), .tls(let host, _): ["localhost", "127.0.0.1", "::1"].contains(host)
        case .socket: true
        }
    }
}
