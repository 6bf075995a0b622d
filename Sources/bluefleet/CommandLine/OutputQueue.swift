import Glibc
import System

/// The bytes that wait for the reader of a standard stream, while the loop of a command runs.
///
/// A reader that stops does not stop the loop. Values of a stream without end are then lost and counted; everything else
/// waits in memory.
struct OutputQueue: ~Copyable {
    private let descriptor: UnblockedDescriptor
    private var bytes: [UInt8] = []
    /// The number of bytes at the start of `bytes` that are written.
    private var start = 0
    /// The value of `errno` of a write that failed, after which nothing is written; 0 if none has failed.
    private(set) var failure: Int32 = 0
    /// The number of values that were lost and not reported yet.
    private var lost = 0

    /// The number of waiting bytes from which values are lost.
    private static let limit = 256 << 10

    init(_ descriptor: Int32) {
        self.descriptor = UnblockedDescriptor(descriptor)
    }

    /// Whether bytes wait for the reader.
    var isWaiting: Bool { start < bytes.count }

    /// Writes a text, or as much of it as the reader accepts; the rest waits.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - isValue: whether the text is one of a stream of values: it is lost if too much waits already.
    mutating func put(_ text: String, isValue: Bool) {
        guard !isValue || bytes.count - start < Self.limit else {
            lost += 1
            return
        }
        bytes += text.utf8
        flush()
    }

    /// Writes as much as the reader accepts.
    mutating func flush() {
        while isWaiting, failure == 0 {
            switch descriptor.write(bytes[start...]) {
            case .written(let count): start += count
            case .busy: return compact()
            case .failed(let code): failure = code
            }
        }
        bytes = []
        start = 0
    }

    /// Releases the memory of the written bytes, at most once for as many bytes as wait.
    private mutating func compact() {
        guard start > bytes.count / 2 else { return }
        bytes.removeFirst(start)
        start = 0
    }

    /// Writes all bytes, and waits for the reader.
    ///
    /// - Parameter limit: how long to wait in milliseconds; nil: without limit.
    mutating func finish(within limit: Int32?) {
        flush()
        let step: Int32 = 50
        var rest = limit ?? 0
        while isWaiting, limit == nil || rest > 0 {
            descriptor.wait(limit == nil ? -1 : min(step, rest))
            flush()
            rest -= step
        }
    }

    /// Returns the number of values that were lost since the last call, if the reader reads again.
    mutating func takeLoss() -> Int {
        guard !isWaiting else { return 0 }
        defer { lost = 0 }
        return lost
    }
}
