internal import Codec
internal import Configuration

extension HexadecimalText {
    /// - Throws: `Failure` that points at what is not hexadecimal.
    init(typed text: String) throws(Failure) {
        do throws(HexadecimalError) {
            try self.init(text)
        } catch {
            let reason =
                switch error.reason {
                case .strange(let character): "\(String(character).quotedForMessage) is no hexadecimal digit"
                case .single: "a byte has two hexadecimal digits, here is one"
                }
            throw Failure(.badData, "\(reason)\n\(Excerpt(text, at: error.position))")
        }
    }
}
