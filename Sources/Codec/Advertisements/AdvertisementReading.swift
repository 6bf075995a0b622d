/// What one part of an advertisement says.
package struct AdvertisementReading: Hashable, Sendable {
    /// The name of its format: `ruuvi_5`.
    package let format: String
    package let reading: Reading

    package init(format: String, reading: Reading) {
        self.format = format
        self.reading = reading
    }
}
