/// The parts of a reading that a device splits into several notifications, e.g.
///
/// a fitness machine (FTMS, "More Data").
package struct ReadingParts: Sendable {
    private var members: [Reading.Member] = []

    /// Creates an empty collection of parts.
    package init() {}

    /// Adds a part; returns the whole reading if this is the last part, else nil.
    ///
    /// A part without new names begins the next reading: the last part of the previous reading was lost.
    package mutating func join(_ part: Reading, isLast: Bool) -> Reading? {
        guard case .fields(let new) = part else { return part }
        if new.allSatisfy({ member in members.contains { $0.name == member.name } }) { members = [] }
        // A member that every part contains, such as a direction, has the value of the last part.
        members.removeAll { member in new.contains { $0.name == member.name } }
        members += new
        guard isLast else { return nil }
        defer { members = [] }
        return .fields(members)
    }
}

extension Format {
    /// Returns whether more parts of the same reading follow these bytes.
    package func announcesMore(_ bytes: Span<UInt8>) -> Bool {
        isInParts && !bytes.isEmpty && bytes[0] & 1 != 0
    }
}
