internal import Codec
internal import Configuration

/// Bytes as a person typed them, and where each of them stands: to point at the one that is wrong.
struct HexadecimalText {
    let text: String
    let bytes: [UInt8]

    /// - Throws: `Failure` that points at what is not hexadecimal.
    init(_ text: String) throws(Failure) {
        self.text = text
        if let bytes = [UInt8](hexadecimal: text) {
            self.bytes = bytes
            return
        }
        let strange = text.enumerated().first { !$0.element.isHexDigit && !" :-".contains($0.element) }
        let reason = strange.map { "\(String($0.element).quotedForMessage) is no hexadecimal digit" }
        throw Failure(
            .badData,
            "\(reason ?? "two hexadecimal digits are one byte")\n\(Excerpt(text, at: strange?.offset ?? text.count))")
    }

    /// Where a byte begins in the text, or where the text ends for one that is not there.
    func offset(ofByte index: Int) -> Int {
        let digits = text.enumerated().filter(\.element.isHexDigit)
        return 2 * index < digits.count ? digits[2 * index].offset : text.count
    }
}
