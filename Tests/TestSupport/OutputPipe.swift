import Foundation

/// The output of a program, read by lines or completely.
///
/// Not thread-safe.
package final class OutputPipe: @unchecked Sendable {
    private let reading: FileHandle
    /// The end of the pipe for the program; closed in this process after the program has inherited it.
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

    /// Closes the writing end in this process, so that the output ends when the program ends.
    func handOver() throws {
        try writing.close()
    }

    /// Returns the next line; nil at the end.
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

    /// Returns the next line that contains a text; nil if there is none before the end.
    package func line(containing text: String) -> String? {
        while let line = line() {
            if line.contains(text) { return line }
        }
        return nil
    }

    /// Returns the rest of the output.
    package func rest() -> String {
        defer { unread = [] }
        return String(decoding: unread + reading.readDataToEndOfFile(), as: UTF8.self)
    }

    /// Closes the reading end.
    package func close() throws {
        try reading.close()
    }
}
