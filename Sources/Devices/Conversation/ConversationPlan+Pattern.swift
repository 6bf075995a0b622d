package import Codec
import Configuration

/// The bytes of questions in recordings.
extension ConversationPlan {
    /// Returns a question as a pattern, in which the bytes that depend on the time or on a counter match any bytes.
    ///
    /// - Parameters:
    ///   - item: The index of the question.
    ///   - bytes: The bytes that were written.
    /// - Returns: The pattern.
    package func pattern(of item: Int, _ bytes: [UInt8]) -> BytePattern {
        let positions = items[item].question?.changingBytes ?? []
        guard !isEncrypted, !positions.isEmpty else { return BytePattern(bytes: bytes) }
        return BytePattern(bytes: bytes, ignoring: positions)
    }
}

extension Configuration.Question {
    /// The positions of the bytes that differ each time the question is asked; empty if they are not known.
    fileprivate var changingBytes: Set<Int> {
        guard case .format(let format, let arguments) = content, format.fixedSize != nil, !format.hasPositions else {
            return []
        }
        var positions: Set<Int> = []
        var start = 0
        for field in format.fields {
            let size = field.fixedSize ?? 0
            var names = field.assignment?.names ?? []
            for case .formula(let formula) in arguments.filter({ $0.name == field.name }).map(\.content) {
                names.formUnion(formula.names)
            }
            var isChanging = names.contains { ["now", "asked", "counter"].contains($0) || $0.hasPrefix("local.") }
            if case .checksum = field.content, !positions.isEmpty { isChanging = true }
            if isChanging { positions.formUnion(start..<start + size) }
            start += size
        }
        return positions
    }
}
