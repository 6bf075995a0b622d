import Testing

/// A fault on the way of an answer.
enum AnswerFault: Sendable, CustomTestStringConvertible, CaseIterable {
    case whole, twice, pieces1, pieces5, pieces7, pieces20, junk, stale, half, silent, flipped, missing, mixed, late

    var testDescription: String { "\(self)" }

    /// Whether the first attempt cannot be answered.
    var needsSecondAttempt: Bool { [.half, .silent, .flipped, .missing].contains(self) }
    /// Whether the fault is noticed without a checksum.
    var isNoticed: Bool { ![.flipped, .missing, .half].contains(self) }
    /// Whether the fault is possible if each notification is a frame.
    var keepsNotifications: Bool { [.whole, .twice, .silent, .late].contains(self) }

    /// Returns the notifications that arrive.
    ///
    /// - Parameters:
    ///   - sent: The notifications that the device sends.
    ///   - attempt: The number of the attempt, from 1 on.
    ///   - stale: The late answer to another question.
    /// - Returns: The notifications.
    func pieces(
        _ sent: [ConversationRun.Piece], attempt: Int, stale: [UInt8]
    ) -> [ConversationRun.Piece] {
        sent.flatMap { piece -> [ConversationRun.Piece] in
            let (bytes, isFirst) = (piece.bytes, attempt == 1)
            func other(_ bytes: [UInt8]) -> ConversationRun.Piece {
                ConversationRun.Piece(bytes: bytes, from: piece.from)
            }
            switch self {
            case .whole: return [piece]
            case .twice: return [piece, piece]
            case .pieces1: return piece.cut(1)
            case .pieces5: return piece.cut(5)
            case .pieces7: return piece.cut(7)
            case .pieces20: return piece.cut(20)
            case .junk: return [other([0, 0xFF, 0xAA, 0x0D]), piece]
            case .stale: return stale.isEmpty ? [piece] : [other(stale), piece]
            case .half where isFirst: return [other(Array(bytes.prefix(bytes.count / 2)))]
            case .silent where isFirst: return []
            case .flipped where isFirst:
                var wrong = bytes
                wrong[bytes.count / 2] ^= 0x10
                return [other(wrong)]
            case .missing where isFirst:
                var wrong = bytes
                wrong.remove(at: bytes.count / 2)
                return [other(wrong)]
            case .mixed: return (stale.isEmpty ? [] : [other(stale)]) + piece.cut(7)
            case .late: return [ConversationRun.Piece(bytes: bytes, from: piece.from, after: .seconds(3))]
            case .half, .silent, .flipped, .missing: return [piece]
            }
        }
    }
}

extension ConversationRun.Piece {
    /// Returns the bytes in pieces of this size.
    func cut(_ size: Int) -> [ConversationRun.Piece] {
        stride(from: 0, to: bytes.count, by: size).map {
            ConversationRun.Piece(bytes: Array(bytes[$0..<min($0 + size, bytes.count)]), from: from)
        }
    }

    /// Returns the bytes in two pieces.
    func cut(at position: Int) -> [ConversationRun.Piece] {
        [bytes.prefix(position), bytes.dropFirst(position)].filter { !$0.isEmpty }.map {
            ConversationRun.Piece(bytes: Array($0), from: from)
        }
    }
}
