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
    /// Whether the packet was received before: its measurements are valid, but its events have already been reported.
    package let isRepeated: Bool

    package init(format: String, reading: Reading, isRepeated: Bool = false) {
        self.format = format
        self.reading = reading
        self.isRepeated = isRepeated
    }
}

extension [AdvertisementReading] {
    /// The payloads of all readings in one; of members with the same name the first one counts.
    package var payload: Record {
        var payload = Record()
        for member in flatMap(\.reading.payload.members) where payload[member.name] == nil {
            payload[member.name] = member.value
        }
        return payload
    }
}

/// The decoded parts of one advertisement.
package struct AdvertisementContents: Hashable, Sendable {
    /// One reading for each part that can be read.
    package let readings: [AdvertisementReading]
    /// The reason why another part was not read: its key is missing or wrong, or the packet is a repetition; nil if
    /// there is none.
    package let refusal: AdvertisementError?
}
