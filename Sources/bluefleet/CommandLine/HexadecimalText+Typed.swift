import Codec
import Configuration

extension HexadecimalText {
    /// Parses typed hexadecimal digits.
    ///
    /// - Throws: `Failure`, which marks the first invalid digit.
    init(typed text: String) throws(Failure) {
        do throws(HexadecimalError) {
            try self.init(text)
        } catch {
            let reason =
                switch error.reason {
                case .invalidCharacter(let character):
                    "\(String(character).quotedForMessage) is not a hexadecimal digit"
                case .missingDigit: "incomplete byte: expected two hexadecimal digits"
                }
            throw Failure(.badData, "\(reason)\n\(Excerpt(text, at: error.position))")
        }
    }
}
