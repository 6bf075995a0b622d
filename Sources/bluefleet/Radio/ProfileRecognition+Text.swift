import Bridge
import Configuration
import Survey

extension ProfileRecognition {
    /// Returns a line with the profiles that fit a device that was seen; nil if there is none.
    func text(for device: NearbyDevice) -> String? { Self.text(proposals(for: device)) }

    /// Returns a line with the profiles that fit an inspected device; nil if there is none.
    func text(for device: InspectedDevice) -> String? { Self.text(proposals(for: device)) }

    private static func text(_ proposals: [Proposal]) -> String? {
        guard !proposals.isEmpty else { return nil }
        let names = proposals.map { $0.isCertain ? $0.name : "\($0.name) (by its name only)" }
        return "looks like \(names.joined(separator: " or ")): add profile: \(proposals[0].name)"
    }
}
