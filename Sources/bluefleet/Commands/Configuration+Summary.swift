import Configuration
import System

extension Configuration {
    /// Summarizes the configuration.
    ///
    /// - Parameter additions: the paths of the files that add to the configuration's file.
    /// - Returns: A few aligned lines.
    func summary(of additions: [String]) -> String {
        var rows = [("gateway", gateway), ("broker", "\(broker.nodes.url), topics below \(broker.prefix)")]
        rows.append(("devices", devices.isEmpty ? "none" : "\(devices.count) (\(policies))"))
        if !fleet.isEmpty { rows.append(("fleet", fleet.count == 1 ? "1 rule" : "\(fleet.count) rules")) }
        if !usedProfiles.isEmpty {
            rows.append(("profiles", usedProfiles.map(\.text).joined(separator: ", ")))
        }
        if !additions.isEmpty { rows.append(("with", additions.map(\.printable).joined(separator: ", "))) }
        return rows.flatMap { Paragraph($0.1).lines(labelled: "  " + $0.0, indent: 11) }.joined(separator: "\n")
    }

    /// The messages about profiles of the user for which a newer version ships.
    var outdatedProfiles: [String] { usedProfiles.compactMap(\.warning) }

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

extension Configuration.UsedProfile {
    /// The name with the version: `jbd/battery (version 2)`.
    fileprivate var text: String {
        let replacement = replacedVersion.map { _ in ", \(path.printable) in place of the shipped one" } ?? ""
        return "\(name) (version \(version)\(replacement))"
    }

    /// The message about a profile of the user for which a newer version ships; nil: there is none.
    var warning: String? {
        guard let replacedVersion, replacedVersion > version else { return nil }
        return
            "\(path.printable): warning: the profile has version \(version), and version \(replacedVersion) ships with "
            + "Bluefleet: compare them, or remove this file"
    }
}
