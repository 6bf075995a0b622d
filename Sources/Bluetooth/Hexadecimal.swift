extension UInt8 {
    /// Whether the byte is the ASCII code of a hexadecimal digit.
    var isHexDigit: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}

extension String {
    func leftPadded(to count: Int) -> String {
        String(repeating: "0", count: max(0, count - utf8.count)) + self
    }
}

extension BinaryInteger {
    /// The number followed by the unit: `1 byte`, `2 bytes`.
    package var inBytes: String { self == 1 ? "1 byte" : "\(self) bytes" }
}
