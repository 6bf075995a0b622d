/// What one part of an advertisement says.
package struct AdvertisementReading: Hashable, Sendable {
    /// The name of its format: `ruuvi_5`.
    package let format: String
    package let reading: Reading
    /// Whether the packet was heard before: what it measures still holds, what happened has been told.
    package let isRepeated: Bool

    package init(format: String, reading: Reading, isRepeated: Bool = false) {
        self.format = format
        self.reading = reading
        self.isRepeated = isRepeated
    }
}

extension [AdvertisementReading] {
    /// The payloads of all readings in one, of members with the same name the first.
    package var payload: Record {
        var payload = Record()
        for member in flatMap(\.reading.payload.members) where payload[member.name] == nil {
            payload[member.name] = member.value
        }
        return payload
    }
}
