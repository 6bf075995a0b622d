import Contract

/// Rule 14: which gateway is the best place for a device.
struct Placement: Sendable {
    private let rules: FleetRules
    private let needs: DeviceValues<ConnectionNeed>

    init(_ rules: FleetRules, needs: DeviceValues<ConnectionNeed>) {
        self.rules = rules
        self.needs = needs
    }

    /// The qualities of a gateway as a place for a device, in the order of their weight.
    private struct Quality: Comparable {
        let hasBond: Bool
        let hasSlot: Bool
        let hasLink: Bool
        /// The signal strength in steps of 3 dB.
        let level: Double

        private var ordered: (Int, Int, Int, Double) { (hasBond ? 1 : 0, hasSlot ? 1 : 0, hasLink ? 1 : 0, level) }

        static func < (left: Quality, right: Quality) -> Bool { left.ordered < right.ordered }
    }

    /// The shared devices.
    var devices: DeviceNumbers { needs.numbers }

    /// Whether the device occupies a connection of its owner.
    func needsSlot(_ device: String) -> Bool { needs[device] == .always }

    /// Whether the gateway has a connection for the device, or the device needs none.
    ///
    /// `freeSlots` is the number of free connections that are not promised to other devices yet; nil: as reported.
    func canServe(_ device: String, _ gateway: KnownGateway, freeSlots: Int? = nil) -> Bool {
        !needsSlot(device) || gateway.links.contains(device) || freeSlots ?? gateway.freeSlots > 0
    }

    /// Returns the best of some gateways for a device; nil: no gateway has the device in its configuration.
    ///
    /// `freeSlots` has the numbers of free connections that are not promised to other devices yet; nil: as reported.
    func best(for device: String, of names: [String], _ known: KnownGateways, freeSlots: [String: Int]? = nil)
        -> String?
    {
        var best: (name: String, quality: Quality)?
        for name in names {
            guard let gateway = known[name], let signal = gateway.signals[device] else { continue }
            let quality = Quality(
                hasBond: gateway.bonded.contains(device),
                hasSlot: canServe(device, gateway, freeSlots: freeSlots?[name]),
                hasLink: gateway.links.contains(device), level: (signal.counted / 3).rounded())
            guard let found = best else {
                best = (name, quality)
                continue
            }
            let isBetter =
                quality == found.quality
                ? Self.hash(device, name) > Self.hash(device, found.name)
                : (quality > found.quality) == rules.contains(.best)
            if isBetter { best = (name, quality) }
        }
        return best?.name
    }

    /// Returns a number that is different for each device and gateway: equal places share the devices.
    ///
    /// FNV-1a, then the last step of SplitMix64.
    static func hash(_ texts: String...) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for text in texts {
            for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
            hash = (hash ^ 0xFF) &* 0x100_0000_01B3
        }
        hash = (hash ^ (hash >> 30)) &* 0xBF58_476D_1CE4_E5B9
        hash = (hash ^ (hash >> 27)) &* 0x94D0_49BB_1331_11EB
        return hash ^ (hash >> 31)
    }

    /// Returns a text that two gateways have in common if they have these texts in common, in the same order.
    static func fingerprint(of texts: [String]) -> String {
        String(texts.reduce(0) { hash(String($0, radix: 16), $1) }, radix: 16)
    }
}
