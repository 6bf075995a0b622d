/// The parts of a reading that comes in several notifications, as those of fitness machines do (FTMS, "More Data").
package struct ReadingParts: Sendable {
    private var members: [Reading.Member] = []

    package init() {}

    /// The whole reading with its last part; nil while there is more to come.
    ///
    /// A part that says nothing new begins the next reading: the end of the one before was lost.
    package mutating func join(_ part: Reading, isLast: Bool) -> Reading? {
        guard case .fields(let new) = part else { return part }
        if new.allSatisfy({ member in members.contains { $0.name == member.name } }) { members = [] }
        // What all parts say, such as a direction, is said by the last.
        members.removeAll { member in new.contains { $0.name == member.name } }
        members += new
        guard isLast else { return nil }
        defer { members = [] }
        return .fields(members)
    }
}

extension Format {
    /// Whether these bytes are a part of a reading of which more is to come.
    package func announcesMore(_ bytes: Span<UInt8>) -> Bool {
        isInParts && !bytes.isEmpty && bytes[0] & 1 != 0
    }
}
