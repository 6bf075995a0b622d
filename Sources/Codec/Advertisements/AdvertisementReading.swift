import JSON

/// The reading of one part of an advertisement, e.g.
///
/// of the data of one service.
package struct AdvertisementReading: Hashable, Sendable {
    /// The name of the format, e.g.
    ///
    /// `ruuvi_5`.
    package let format: String
    /// The decoded values.
    package let reading: Reading
    /// Whether the same packet was decoded before: its values are valid, but its events have already been reported.
    package let isRepeated: Bool
    /// The maker's number of the product; nil if the packet contains none.
    package let product: Int?

    package init(format: String, reading: Reading, isRepeated: Bool = false, product: Int? = nil) {
        self.format = format
        self.reading = reading
        self.isRepeated = isRepeated
        self.product = product
    }
}

extension [AdvertisementReading] {
    /// The payloads of all readings in one record; if several members have the same name, the first one is used.
    package var payload: Record {
        var payload = Record()
        for member in flatMap(\.reading.payload) where payload[member.name] == nil {
            payload[member.name] = member.value
        }
        return payload
    }
}

/// The decoded parts of one advertisement.
package struct AdvertisementContents: Hashable, Sendable {
    /// One reading for each part that can be decoded.
    package let readings: [AdvertisementReading]
    /// The reason why another part was rejected: the key or the address is missing, the key is wrong, the packet is
    /// replayed or not encrypted; nil if no part was rejected.
    package let refusal: AdvertisementError?

    /// Whether the advertisement is that of a sensor or a similar device: not only of a phone, a tracker or a beacon.
    package var isOfSensor: Bool { readings.contains { !Advertisements.presence.contains($0.format) } }
}
