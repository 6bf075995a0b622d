import Codec
import Configuration

/// The lines of an answer in text.
enum AnswerText: Equatable {
    /// The line with the answer; as bytes if the lines are hexadecimal digits.
    case line([UInt8])
    case refused([UInt8])
    /// No line begins with the start of the answer.
    case noLine

    /// - Parameters:
    ///   - text: The content of the frame.
    ///   - frame: The frame of the answer.
    ///   - refusal: The text that means no; nil: none.
    init(_ text: [UInt8], _ frame: ExpectedFrame, refusal: ExpectedFrame?) {
        let lines = text.split { $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") }
        for line in lines {
            guard let bytes = frame.shape.isHexadecimal ? line.hexadecimalBytes : Array(line) else { continue }
            if frame.comparison(with: bytes[...]) == .equal {
                self = .line(bytes)
                return
            }
        }
        if let refusal, let line = lines.first(where: { refusal.comparison(with: $0) == .equal }) {
            self = .refused(Array(line))
            return
        }
        self = frame.start.isEmpty ? .line(lines.first.map(Array.init) ?? []) : .noLine
    }
}

extension ArraySlice<UInt8> {
    /// The bytes of pairs of hexadecimal digits, which may have spaces between them; nil for any other text.
    fileprivate var hexadecimalBytes: [UInt8]? {
        let digits = filter { $0 != UInt8(ascii: " ") }
        guard !digits.isEmpty else { return nil }
        return [UInt8](hexadecimal: String(decoding: digits, as: UTF8.self))
    }
}
