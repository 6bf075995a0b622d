import Configuration
import System

extension Configuration {
    /// Summarizes the configuration.
    ///
    /// - Parameter additions: the paths of the files that add to the configuration's file.
    /// - Returns: A few aligned lines.
    func summary(of additions: [String]) -> String {
        var rows = [("gateway", gateway), ("broker", "\(broker.endpoint.url), topics below \(broker.prefix)")]
        rows.append(("devices", devices.isEmpty ? "none" : "\(devices.count) (\(policies))"))
        if !fleet.isEmpty { rows.append(("fleet", fleet.count == 1 ? "1 rule" : "\(fleet.count) rules")) }
        if !additions.isEmpty { rows.append(("with", additions.map(\.printable).joined(separator: ", "))) }
        return rows.flatMap { Paragraph($0.1).lines(labelled: "  " + $0.0, indent: 11) }.joined(separator: "\n")
    }

    /// The number of devices of each connect policy: `2 always, 1 every 10m`.
    private var policies: String {
        var counts: [(policy: String, count: Int)] = []
        for device in devices {
            let policy =
                device.settings.isObserved && device.connect == .onDemand
                ? "by advertisements, connected on demand" : device.connect.text
            if let index = counts.firstIndex(where: { $0.policy == policy }) {
                counts[index].count += 1
            } else {
                counts.append((policy, 1))
            }
        }
        return counts.map { "\($0.count) \($0.policy)" }.joined(separator: ", ")
    }
}
