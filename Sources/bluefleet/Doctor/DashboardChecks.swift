import Configuration
import EventLoop
import Glibc
import System

/// Checks the page of the dashboard, if it runs on this machine or if the configuration has settings for it.
enum DashboardChecks {
    private static let subject = "page"

    static func findings(_ configuration: Configuration) -> [Diagnosis] {
        let settings = configuration.dashboard
        return settings.listen.flatMap { finding($0, settings).map { [$0] } ?? [] }
    }

    private static func finding(_ address: ListenAddress, _ settings: Configuration.Dashboard) -> Diagnosis? {
        let answer = LocalRequest.get("/healthz", from: address)
        return diagnosis(of: answer, at: address, isConfigured: isConfigured(settings))
    }

    /// Whether the settings differ from those of a file without the section.
    private static func isConfigured(_ settings: Configuration.Dashboard) -> Bool {
        settings != (try? Configuration(yaml: ""))?.dashboard
    }

    /// Returns the result of the request to `/healthz`; nil if there is no page, and no settings for one.
    static func diagnosis(
        of answer: LocalRequest.Answer, at address: ListenAddress, isConfigured: Bool
    ) -> Diagnosis? {
        switch answer {
        case .response(200, _): .ok(subject, "\(address) answers\(reach(address))")
        case .response(503, let text) where text.hasPrefix("broker away"):
            .advice(
                subject, "\(address) answers, but has no connection to the broker",
                "journalctl -u \(program) -n 20")
        case .response(503, let text): .ok(subject, "\(address) answers: \(text)")
        case .response: .advice(subject, "another program answers at \(address)", "ss -lptn")
        case .nothing where isConfigured:
            .advice(subject, "\(address) accepts no connection", "sudo systemctl start \(program)")
        case .silence where isConfigured:
            .advice(subject, "\(address) does not answer", "sudo systemctl restart \(program)")
        case .denied where isConfigured:
            .advice(subject, "this user must not connect to \(address)", "sudo bluefleet doctor")
        case .nothing, .silence, .denied: nil
        }
    }

    private static let program = ExternalProgram.dashboard.name

    /// Returns how other machines reach an address; empty if they do not.
    private static func reach(_ address: ListenAddress) -> String {
        guard case .tcp(let host, let port) = address, !address.isLocal else { return "" }
        let name = host.isUnspecified ? Configuration.hostName : host.isIPv6 ? "[\(host)]" : "\(host)"
        return "; for other machines: http://\(name):\(port)/"
    }
}
