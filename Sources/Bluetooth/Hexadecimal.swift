extension UInt8 {
    /// Whether the byte is the ASCII code of a hexadecimal digit.
    var isHexDigit: Bool {
        hexDigit != nil
    }

    /// The value of the hexadecimal digit whose ASCII code the byte is; nil if it is not one.
    var hexDigit: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
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
