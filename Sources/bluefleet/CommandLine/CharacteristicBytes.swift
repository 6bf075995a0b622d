import Codec

/// Typed bytes of a characteristic.
struct CharacteristicBytes {
    private let format: Format
    private let input: HexadecimalText

    init(_ text: String, as format: Format) throws(Failure) {
        self.format = format
        input = try HexadecimalText(typed: text)
    }

    /// Decodes the bytes.
    ///
    /// - Throws: `Failure`, which marks the first invalid byte.
    func decode() throws(Failure) -> Reading {
        do throws(DecodingError) {
            return try format.decode(input.bytes)
        } catch {
            throw Failure(.badData, error.description + pointer(to: error))
        }
    }

    private func pointer(to error: DecodingError) -> String {
        switch error {
        case .tooShort: "\n\(Excerpt(input.text, at: input.text.count))"
        case .tooLong(let expected, _): "\n\(Excerpt(input.text, at: input.offset(ofByte: expected)))"
        case .invalid, .needs: "\n\(Excerpt(input.text, at: input.offset(ofByte: lastByte(of: error))))"
        }
    }

    /// Returns the index of the first byte that causes the error; the bytes before this byte are only incomplete.
    private func lastByte(of mistake: DecodingError) -> Int {
        let count = input.bytes.indices.first { last in
            do throws(DecodingError) {
                _ = try format.decode(Array(input.bytes[...last]))
                return false
            } catch {
                return error == mistake
            }
        }
        return count ?? max(0, input.bytes.count - 1)
    }
}
