import EventLoop
package import Foundation
import Synchronization

/// A program that runs beside the test; it never outlives the object.
///
/// Not for two threads at a time.
package final class Command: @unchecked Sendable {
    /// How a program ended.
    package enum Exit: Equatable, Sendable {
        case code(Int32)
        case signal(Int32)
    }

    /// Where a program's standard output goes.
    package enum Destination: Sendable {
        /// To `output`, with standard error.
        case pipe
        /// To `output`, and standard error to `error`.
        case ownPipe
        /// To a file or a terminal; standard error goes to `error`.
        case file(FileHandle)
        /// To `output`; standard error is a terminal's, and so is standard input.
        case pipeAtTerminal(FileHandle)
    }

    package let identifier: pid_t
    package let output: OutputPipe
    /// Standard error; where that goes with standard output, the same as `output`.
    package let error: OutputPipe
    /// The other end of its standard input; nil: it has none.
    private let input: FileHandle?
    private var exit: Exit?

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - program: Its name, looked for in PATH and where Debian keeps its servers.
    ///   - takesInput: Whether it is told things by `write(_:)`.
    package init(
        _ program: String, _ arguments: [String] = [], environment: [String: String] = [:],
        output destination: Destination = .pipe, takesInput: Bool = false
    ) throws {
        guard let path = ChildProcess.path(of: program) else { throw CommandError("\(program) is not installed") }
        let inputPipe = takesInput ? try Self.inputPipe() : nil
        input = inputPipe?.writing
        // One at a time: another child, started between `pipe` and `fcntl`, would hold this one's output open.
        (identifier, output, error) = try Self.starting.withLock { _ in
            let output = try OutputPipe()
            let error = if case .pipe = destination { output } else { try OutputPipe() }
            let given = inputPipe?.reading.fileDescriptor
            let streams: Streams =
                switch destination {
                case .pipe, .ownPipe: (given, output.writingDescriptor, error.writingDescriptor)
                case .file(let file): (given, file.fileDescriptor, error.writingDescriptor)
                case .pipeAtTerminal(let device):
                    (device.fileDescriptor, output.writingDescriptor, device.fileDescriptor)
                }
            let child = try Self.spawn(path, arguments, environment, streams)
            try output.handOver()
            if error !== output { try error.handOver() }
            return (child, output, error)
        }
        try inputPipe?.reading.close()
    }

    /// A pipe of which no other program gets the ends.
    private static func inputPipe() throws -> (reading: FileHandle, writing: FileHandle) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw CommandError("there is no pipe to be had") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (FileHandle(fileDescriptor: ends[0]), FileHandle(fileDescriptor: ends[1], closeOnDealloc: true))
    }

    private static let starting = Mutex(())

    private typealias Streams = (input: Int32?, output: Int32, error: Int32)

    private static func spawn(
        _ path: String, _ arguments: [String], _ environment: [String: String], _ streams: Streams
    ) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let input = streams.input {
            posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        } else {
            posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        }
        posix_spawn_file_actions_adddup2(&actions, streams.output, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, streams.error, STDERR_FILENO)

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

        let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }.map { "\($0)=\($1)" }
        var child: pid_t = 0
        let code = withCStrings([path] + arguments) { arguments in
            withCStrings(variables) { posix_spawn(&child, path, &actions, &attributes, arguments, $0) }
        }
        guard code == 0 else { throw CommandError("cannot start \(path): \(String(cString: strerror(code)))") }
        return child
    }

    deinit {
        kill()
    }

    /// Writes a line to the program's standard input.
    package func write(_ line: String) throws {
        try input?.write(contentsOf: Data((line + "\n").utf8))
    }

    /// Ends the program's standard input.
    package func endInput() throws {
        try input?.close()
    }

    /// Waits until the program has written a line that contains `text`.
    ///
    /// - Throws: `CommandError` with what it wrote instead, when it ends before that.
    package func waitForOutput(containing text: String) throws {
        var seen: [String] = []
        while let line = output.line() {
            if line.contains(text) { return }
            seen.append(line)
        }
        throw CommandError("'\(text)' was never written, but: \(seen.joined(separator: "\n"))")
    }

    /// Waits for the end of the program and gives what it has written.
    package func waitForOutput() -> String {
        let text = output.rest()
        wait()
        return text
    }

    /// Waits for the end of the program.
    @discardableResult
    package func wait() -> Exit {
        if let exit { return exit }
        var status: Int32 = 0
        while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7f
        let exit = signal == 0 ? Exit.code(status >> 8 & 0xff) : .signal(signal)
        self.exit = exit
        return exit
    }

    /// Sends a signal; harmless when the program has ended.
    package func send(_ signal: Int32) {
        if exit == nil { _ = Foundation.kill(identifier, signal) }
    }

    /// Asks the program to end, and waits until it has.
    @discardableResult
    package func terminate() -> Exit {
        send(SIGTERM)
        return wait()
    }

    /// Ends the program at once.
    package func kill() {
        send(SIGKILL)
        wait()
    }
}

/// Calls `body` with the strings as C passes arguments: pointers, and a null at the end.
private func withCStrings<Result>(
    _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) throws -> Result
) rethrows -> Result {
    let copies = strings.map { strdup($0) }
    defer {
        for copy in copies {
            free(copy)
        }
    }
    return try body(copies + [nil])
}
