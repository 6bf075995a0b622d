import Foundation

/// What a program writes, to be read line by line or whole.
///
/// Not for two threads at a time.
package final class OutputPipe: @unchecked Sendable {
    private let reading: FileHandle
    /// The program's end; closed here once the program has it.
    private let writing: FileHandle
    private var unread: [UInt8] = []

    init() throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw CommandError("there is no pipe to be had") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        reading = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
        writing = FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
    }

    var writingDescriptor: Int32 { writing.fileDescriptor }

    /// Leaves writing to the program, so that its end is the end of what can be read.
    func handOver() throws {
        try writing.close()
    }

    /// The next line; nil at the end.
    package func line() -> String? {
        var line: [UInt8] = []
        while true {
            if unread.isEmpty { unread = Array(reading.availableData) }
            if unread.isEmpty { return line.isEmpty ? nil : String(decoding: line, as: UTF8.self) }
            let part = unread.prefix { $0 != UInt8(ascii: "\n") }
            line += part
            let isComplete = part.count < unread.count
            unread = Array(unread.dropFirst(part.count + 1))
            if isComplete { return String(decoding: line, as: UTF8.self) }
        }
    }

    /// The next line that contains a text; nil when the end comes before it.
    package func line(containing text: String) -> String? {
        while let line = line() {
            if line.contains(text) { return line }
        }
        return nil
    }

    /// Everything from here to the end.
    package func rest() -> String {
        defer { unread = [] }
        return String(decoding: unread + reading.readDataToEndOfFile(), as: UTF8.self)
    }

    /// Nobody reads any longer.
    package func close() throws {
        try reading.close()
    }
}
