import Configuration
import Contract
import Seat

/// Checks the etcd in which the gateway that decides holds a lock.
enum SeatChecks {
    /// Returns a finding about each node; none without the key `share.seat`.
    static func findings(
        _ configuration: Configuration, isolation: isolated (any Actor)? = #isolation
    ) async -> [Diagnosis] {
        guard let settings = configuration.share?.seat else { return [] }
        var findings: [Diagnosis] = []
        for node in settings.nodes {
            let doctor = FleetProcess(gateway: configuration.gateway, start: "doctor")
            let seat = Seat(settings.at(node), prefix: configuration.broker.prefix, doctor)
            do throws(SeatError) {
                let holder = try await seat.holder()
                findings.append(.ok("seat", "\(node): \(holder.map { "held by \($0)" } ?? "no gateway holds it")"))
            } catch {
                findings.append(.wrong("seat", "\(error)", "sudo systemctl status etcd"))
            }
        }
        // A node answers only if a majority of all nodes runs.
        guard findings.contains(where: { $0.state == .ok }) else { return findings }
        return findings.map { $0.state == .ok ? $0 : .advice($0.subject, $0.message, $0.remedy) }
    }
}
