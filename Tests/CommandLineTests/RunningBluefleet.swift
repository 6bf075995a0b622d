import CLinux
import Foundation

/// A command that runs on and on, until it is sent a signal.
final class RunningBluefleet {
    private let process = Process()
    private let output = Pipe()
    private let error = Pipe()
    private var unread: [Stream: [UInt8]] = [:]

    enum Stream {
        case output, error
    }

    /// - Parameter terminal: takes its standard output in place of a pipe.
    init(_ arguments: String..., environment: [String: String] = [:], terminal: FileHandle? = nil) throws {
        process.executableURL = Bluefleet.path
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        if let terminal { process.standardOutput = terminal } else { process.standardOutput = output }
        process.standardError = error
        try process.run()
    }

    var identifier: Int32 { process.processIdentifier }

    /// The next line of a stream; nil at its end.
    func line(of stream: Stream) -> String? {
        var line: [UInt8] = []
        while true {
            var buffer = unread[stream] ?? []
            if buffer.isEmpty { buffer = Array(handle(of: stream).availableData) }
            if buffer.isEmpty { return line.isEmpty ? nil : String(decoding: line, as: UTF8.self) }
            let part = buffer.prefix { $0 != UInt8(ascii: "\n") }
            line += part
            unread[stream] = Array(buffer.dropFirst(part.count + 1))
            if part.count < buffer.count { return String(decoding: line, as: UTF8.self) }
        }
    }

    /// The next line of a stream that contains a text; nil when it ends without one.
    func line(of stream: Stream, containing text: String) -> String? {
        while let line = line(of: stream) {
            if line.contains(text) { return line }
        }
        return nil
    }

    func send(_ signal: Int32) {
        kill(identifier, signal)
    }

    /// The programs that it has started.
    var children: [Int32] {
        let list = try? String(contentsOfFile: "/proc/\(identifier)/task/\(identifier)/children", encoding: .utf8)
        return (list ?? "").split(separator: " ").compactMap { Int32($0) }
    }

    /// Waits until a process that is no child of this one has ended.
    static func waitForEnd(of process: Int32) {
        let descriptor = bluefleet_pidfd_open(process)
        guard descriptor >= 0 else { return }
        var end = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        poll(&end, 1, -1)
        close(descriptor)
    }

    /// Nobody reads its standard output any longer.
    func closeOutput() throws {
        try output.fileHandleForReading.close()
    }

    /// Waits for its end, and gives the status that a shell would give.
    func exit() -> Int32 {
        process.waitUntilExit()
        return process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
    }

    private func handle(of stream: Stream) -> FileHandle {
        switch stream {
        case .output: output.fileHandleForReading
        case .error: error.fileHandleForReading
        }
    }
}
