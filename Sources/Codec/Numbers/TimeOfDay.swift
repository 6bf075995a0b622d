/// A time of day, with a resolution of one second.
struct TimeOfDay: Hashable, CustomStringConvertible {
    let hours: Int
    let minutes: Int
    let seconds: Int

    var isValid: Bool {
        0...23 ~= hours && 0...59 ~= minutes && 0...59 ~= seconds
    }

    var description: String {
        [hours, minutes, seconds].map { $0.padded(to: 2) }.joined(separator: ":")
    }
}

extension TimeOfDay {
    /// Parses a time such as `05:09:00`; nil for any other text.
    init?(_ text: some StringProtocol) {
        guard let parts = text.numbers(separatedBy: ":", minimumDigits: [2, 2, 2]) else { return nil }
        self.init(hours: parts[0], minutes: parts[1], seconds: parts[2])
        guard isValid else { return nil }
    }
}
