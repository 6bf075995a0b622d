/// Finds gateways whose list of shared devices differs from that of the decider.
///
/// A person copies a file from gateway to gateway, so a difference counts after a minute.
struct ListDifferences: Sendable {
    /// A difference counts after this number of looks: 60 s.
    private static let looks = 12
    /// The number of devices that are named for each gateway.
    private static let mostNames = 10

    /// For how many looks the list of a gateway has differed, by the name of the gateway.
    private var counts: [String: Int] = [:]

    /// Compares the lists, each 5 s.
    ///
    /// - Parameters:
    ///   - decider: The name of the decider.
    ///   - devices: Returns the names of its shared devices; called only if a difference has lasted for a minute.
    ///   - gateways: All gateways.
    /// - Returns: The differences that have lasted for a minute now.
    mutating func look(
        _ decider: String, devices: () -> Set<String>, _ gateways: [String: KnownGateway]
    ) -> [FleetNotice] {
        guard let fingerprint = gateways[decider]?.roster else { return [] }
        let different = gateways.filter { $0.value.isAvailable && $0.value.roster != fingerprint }
        counts = different.reduce(into: [:]) { $0[$1.key] = min(counts[$1.key, default: 0], Self.looks) + 1 }
        let lasting = different.filter { counts[$0.key] == Self.looks }.sorted { $0.key < $1.key }
        guard !lasting.isEmpty else { return [] }
        let devices = devices()
        return lasting.flatMap { name, gateway in Self.differences(decider, devices, name, gateway) }
    }

    private static func differences(
        _ decider: String, _ devices: Set<String>, _ name: String, _ gateway: KnownGateway
    ) -> [FleetNotice] {
        let listed = Set(gateway.signals.names)
        let missing = devices.subtracting(listed).map { FleetNotice.unknownDevice($0, at: name, knownAt: decider) }
        let additional = listed.subtracting(devices).map { FleetNotice.unknownDevice($0, at: decider, knownAt: name) }
        // A gateway that only decides has all devices in its file, and lists none of them.
        let differences = listed.isEmpty ? [] : missing + additional
        guard !differences.isEmpty else { return [.otherList(name, decider)] }
        return Array(differences.sorted { $0.device < $1.device }.prefix(mostNames))
    }
}

extension FleetNotice {
    fileprivate var device: String {
        if case .unknownDevice(let device, _, _) = self { device } else { "" }
    }
}
