/// The bytes that one characteristic of a device has sent, and that are not part of a frame yet.
///
/// A value without I/O. The frames that may begin at the start of the buffer are compared in their order. The first one that
/// matches and is whole is removed from the buffer; the first one that may still match waits for further bytes. If none can
/// match, one byte is dropped.
package struct FrameBuffer: Sendable {
    private var bytes: [UInt8] = []
    /// The position of the first byte that is neither part of a frame nor dropped.
    private var start = 0
    /// The positions after the last byte of each notification, in ascending order.
    private var ends: [Int] = []
    /// Whether the first byte is the first one of a notification.
    private var beginsNotification = true
    /// The number of bytes that belong to no frame.
    package private(set) var dropped = 0
    /// The first of these bytes since the buffer was emptied.
    private var strange: [UInt8] = []

    package init() {}

    package var isEmpty: Bool { start == bytes.count }
    package var count: Int { bytes.count - start }

    /// The largest number of bytes that are kept between two notifications.
    package static let capacity = 4096
    /// The largest number of bytes that a report of a failed question needs.
    private static let mostStrange = 64

    /// The first bytes since the buffer was emptied that are part of no frame, at most 64.
    var unmatched: [UInt8] { Array((strange + bytes[start...]).prefix(Self.mostStrange)) }

    /// Adds the bytes of a notification.
    package mutating func append(_ notification: [UInt8]) {
        bytes += notification
        ends.append(bytes.count)
    }

    /// Removes all bytes.
    package mutating func clear() {
        bytes = []
        start = 0
        ends = []
        strange = []
        beginsNotification = true
    }

    /// Removes the next frame from the buffer, and drops the bytes before it.
    ///
    /// - Parameter expected: The frames that may begin at the start of the buffer, in the order of their priority.
    /// - Returns: The index of the frame among the expected ones, and its content; nil if no frame is whole.
    package mutating func next(_ expected: [ExpectedFrame]) -> (index: Int, content: [UInt8])? {
        defer { compact() }
        while !isEmpty {
            if let found = match(expected) {
                switch found {
                case .incomplete: return nil
                case .whole(let index, let length, let content):
                    remove(length)
                    return (index, content)
                }
            }
            if strange.count < Self.mostStrange { strange.append(bytes[start]) }
            remove(1)
            dropped += 1
        }
        return nil
    }

    private enum Match {
        case incomplete
        case whole(index: Int, length: Int, content: [UInt8])
    }

    /// Returns the first expected frame that matches or may match the start of the buffer; nil if none can match.
    private func match(_ expected: [ExpectedFrame]) -> Match? {
        let notification = beginsNotification ? ends.first.map { $0 - start } : nil
        for (index, frame) in expected.enumerated() {
            switch frame.compare(bytes[start...], notification: notification) {
            case .different: continue
            case .incomplete: return count < Self.capacity ? .incomplete : nil
            case .frame(let length, let content): return .whole(index: index, length: length, content: content)
            }
        }
        return nil
    }

    private mutating func remove(_ count: Int) {
        start += count
        beginsNotification = start == bytes.count || ends.first == start
        ends.removeFirst(ends.prefix { $0 <= start }.count)
    }

    /// Releases the memory of the removed bytes.
    private mutating func compact() {
        guard start > 0 else { return }
        bytes.removeFirst(start)
        ends = ends.map { $0 - start }
        start = 0
    }
}
