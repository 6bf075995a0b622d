package import JSON

/// A quantity in the advertisements of a device; each quantity has a topic of its own.
package struct AdvertisedQuantity: Equatable, Sendable {
    /// The name of the advertisement format, such as `ruuvi_5`.
    package let format: String
    package let name: String
    package let unit: String?
    /// Whether the values are booleans; some formats use the same name for numbers.
    package let isTruth: Bool
    /// The maker's number of the product; nil if the packets contain none.
    package var product: Int?

    package init(_ member: Reading.Member, of format: String) {
        self.format = format
        name = member.name
        unit = member.unit
        if case .boolean = member.value { isTruth = true } else { isTruth = false }
    }

    package init(_ quantity: Quantity, of format: String) {
        self.format = format
        name = quantity.name
        unit = quantity.unit
        isTruth = quantity.form == .boolean
    }

    /// Returns the definition of the quantity; nil if no format of the device or of this release defines it.
    ///
    /// - Parameter formats: the configured formats of the device.
    /// - Returns: the quantity with its unit and kind.
    package func meaning(_ formats: [AdvertisementFormat]) -> Quantity? {
        let sample = Reading.Member(name: name, value: isTruth ? .boolean(false) : .null, unit: unit)
        let known = formats.filter { $0.name == format } + Advertisements.all.filter { $0.name == format }
        return known.lazy.compactMap { $0.quantity(of: sample) }.first
    }

    /// Whether the values are events, such as a pressed button: their topic is not retained.
    package var isEvent: Bool {
        Self.events.contains { name == $0 || name.hasPrefix($0 + "_") }
            || Self.eventsAsNumbers.contains(name) && !isTruth && Self.knownFormats.contains(format)
    }

    private static let events = ["button", "command", "dimmer"]
    /// The names of quantities whose numbers are events in the built-in formats.
    ///
    /// Booleans with these names are states. In configured formats, these names may have any meaning.
    private static let eventsAsNumbers = ["cube", "motion", "vibration"]
    private static let knownFormats = Set(Advertisements.all.map(\.name))
}

extension AdvertisedQuantity {
    package init?(_ json: JSON) {
        guard let format = json["format"]?.string, let name = json["name"]?.string else { return nil }
        self.format = format
        self.name = name
        unit = json["unit"]?.string
        isTruth = json["boolean"]?.bool ?? false
        product = json["product"]?.int
    }

    package var json: JSON {
        var members: JSON.Object = [
            "format": .string(format), "name": .string(name), "unit": unit.map { .string($0) } ?? .null,
            "boolean": .bool(isTruth),
        ]
        members["product"] = product.map { .number($0) }
        return .object(members)
    }
}
