extension Int {
    /// Returns the number as text with leading zeros, at least `digits` digits long.
    func padded(to digits: Int) -> String {
        let text = String(self)
        return String(repeating: "0", count: Swift.max(0, digits - text.utf8.count)) + text
    }
}

extension StringProtocol {
    /// Returns the numbers of a date or a time; nil unless each part has only digits: at least the minimum number and
    /// at most five.
    func numbers(separatedBy separator: Character, minimumDigits: [Int]) -> [Int]? {
        let parts = split(separator: separator, omittingEmptySubsequences: false)
        guard parts.count == minimumDigits.count else { return nil }
        var numbers: [Int] = []
        for (part, digits) in zip(parts, minimumDigits) {
            guard digits...5 ~= part.utf8.count, part.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }),
                let number = Int(part)
            else { return nil }
            numbers.append(number)
        }
        return numbers
    }
}
