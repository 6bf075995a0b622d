/// The stored form of one reading in one hour.
package struct HistoryRow: Equatable, Sendable {
    package let device: String
    package let reading: String
    /// The unit; empty: none.
    package let unit: String
    /// Whether the reading is a state, and not a number.
    package let isState: Bool
    /// Hours since 1970.
    package let hour: Int64
    package let data: [UInt8]

    package init(device: String, reading: String, unit: String, isState: Bool, hour: Int64, data: [UInt8]) {
        self.device = device
        self.reading = reading
        self.unit = unit
        self.isState = isState
        self.hour = hour
        self.data = data
    }
}
