import Bluetooth
import Codec
import Configuration
import JSON

/// The question of one entry of a profile, the bytes that the device sent, and the values in them.
struct TrialResult {
    enum Question {
        /// The values are read, or the device sends them unasked.
        case none
        case bytes([UInt8], BytePattern)
        /// The reason why the bytes are not shown.
        case secret(String)
    }

    enum Outcome {
        /// The reading; nil: the answer has no format.
        case values(Reading?)
        case failed(String)
        /// The reason why nothing was asked.
        case skipped(String)
    }

    /// Bytes of one notification, or bytes that were read.
    struct Piece {
        let source: UUID
        let bytes: [UInt8]
    }

    /// The name of the entry; `first 1` for the first question of the key `first`.
    let name: String
    /// The entry of a test: `first` for a question of the key `first`.
    let entry: String
    /// The characteristics of the entry: `FF00/FF02`.
    let place: String
    /// The characteristic from which the answer arrives; nil: there is no answer.
    let source: UUID?
    let question: Question
    let answer: [Piece]
    /// The format of the answer; nil: it has none.
    let format: Format?
    let outcome: Outcome

    /// Whether the entry has no value although it should have one.
    var isFailure: Bool {
        if case .failed = outcome { true } else { false }
    }

    private var isSecret: Bool {
        if case .secret = question { true } else { false }
    }

    /// The text in the place of bytes that are not shown.
    private static let mask = "(secret)"

    /// The question, the answer and the values in lines of less than 80 columns.
    var text: String {
        // A line with two long UUIDs would be too wide.
        var lines = "\(name)  \(place)".columns < 80 ? ["\(Style.bold(name))  \(place)"] : [Style.bold(name)]
        if lines[0].columns <= name.columns, !place.isEmpty { lines += Self.lines("place", place) }
        switch question {
        case .none: break
        case .bytes(let bytes, _): lines += Self.lines("ask", bytes)
        case .secret(let reason): lines += Self.lines("ask", "\(Self.mask) \(reason)")
        }
        for piece in answer {
            lines += isSecret ? Self.lines("answer", Self.mask) : Self.lines("answer", piece.bytes)
        }
        switch outcome {
        case .values(nil): break
        case .values(let reading?):
            for (index, line) in reading.text.split(separator: "\n").enumerated() {
                lines += Self.lines(index == 0 ? "values" : "", String(line))
            }
        case .failed(let reason): lines += Self.lines("failed", reason)
        case .skipped(let reason): lines += Self.lines("skipped", reason)
        }
        return lines.joined(separator: "\n")
    }

    /// Returns bytes in lines of 32.
    private static func lines(_ label: String, _ bytes: [UInt8]) -> [String] {
        Paragraph(words: bytes.hexadecimal.pieces(of: 64)).lines(labelled: "  \(label)", indent: 10)
    }

    private static func lines(_ label: String, _ text: String) -> [String] {
        Paragraph(breaking: text, indent: 10).lines(labelled: "  \(label)", indent: 10)
    }

    /// The result in JSON.
    var record: Record {
        var record = Record([("entry", .string(name))])
        switch question {
        case .none: break
        case .bytes(let bytes, _): record["ask"] = .string(bytes.hexadecimal)
        case .secret: record["ask"] = .string(Self.mask)
        }
        record["answer"] = .list(answer.map { .string(isSecret ? Self.mask : $0.bytes.hexadecimal) })
        switch outcome {
        case .values(let reading): record["values"] = reading.map { .record($0.payload) } ?? .null
        case .failed(let reason): record["failed"] = .string(reason)
        case .skipped(let reason): record["skipped"] = .string(reason)
        }
        return record
    }
}
