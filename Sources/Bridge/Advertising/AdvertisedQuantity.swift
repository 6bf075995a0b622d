internal import Codec
internal import JSON

/// One of the things that a device's advertisements tell: a topic of its own.
struct AdvertisedQuantity: Equatable, Sendable {
    /// The name of the format that tells it: `ruuvi_5`.
    let format: String
    let name: String
    let unit: String?
    /// Whether it is true or false; some names stand for numbers as well.
    let isTruth: Bool

    init(_ member: Reading.Member, of format: String) {
        self.format = format
        name = member.name
        unit = member.unit
        if case .boolean = member.value { isTruth = true } else { isTruth = false }
    }

    init(_ quantity: Quantity, of format: String) {
        self.format = format
        name = quantity.name
        unit = quantity.unit
        isTruth = quantity.kind == .boolean
    }

    /// What it is, by the device's own formats and those that this release knows.
    func meaning(_ formats: [AdvertisementFormat]) -> Quantity? {
        let sample = Reading.Member(name: name, value: isTruth ? .boolean(false) : .null, unit: unit)
        let known = formats.filter { $0.name == format } + Advertisements.all.filter { $0.name == format }
        return known.lazy.compactMap { $0.quantity(of: sample) }.first
    }

    /// Whether it tells what happened, which is over when it has been told: it is not retained.
    var isEvent: Bool {
        Self.events.contains { name == $0 || name.hasPrefix($0 + "_") }
            || Self.others.contains(name) && !isTruth && Self.knownFormats.contains(format)
    }

    private static let events = ["button", "command", "dimmer"]
    /// Of some devices these are states, true or false, and in somebody's own format they may be anything.
    private static let others = ["cube", "motion", "vibration"]
    private static let knownFormats = Set(Advertisements.all.map(\.name))
}

extension AdvertisedQuantity {
    init?(_ json: JSON) {
        guard let format = json["format"]?.string, let name = json["name"]?.string else { return nil }
        self.format = format
        self.name = name
        unit = json["unit"]?.string
        isTruth = json["boolean"]?.bool ?? false
    }

    var json: JSON {
        [
            "format": .string(format), "name": .string(name), "unit": unit.map { .string($0) } ?? .null,
            "boolean": .bool(isTruth),
        ]
    }
}
