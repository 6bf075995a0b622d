import EventLoop
package import Foundation
import Synchronization

/// A program that a test runs; the program ends when this object is deallocated.
///
/// Not thread-safe.
package final class Command: @unchecked Sendable {
    /// The way in which a program ended.
    package enum Exit: Equatable, Sendable {
        case code(Int32)
        case signal(Int32)
    }

    /// The destination of a program's standard output and standard error.
    package enum Destination: Sendable {
        /// Standard output and standard error go to `output`.
        case pipe
        /// Standard output goes to `output`, standard error to `error`.
        case ownPipe
        /// Standard output goes to a file or a terminal, standard error to `error`.
        case file(FileHandle)
        /// Standard output goes to `output`; standard error and standard input are a terminal.
        case pipeAtTerminal(FileHandle)
    }

    package let identifier: pid_t
    package let output: OutputPipe
    /// Standard error; equal to `output` if both have the same destination.
    package let error: OutputPipe
    /// The other end of the program's standard input; nil without one.
    private let input: FileHandle?
    private var exit: Exit?

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - program: The name, found in PATH and in Debian's folders of servers.
    ///   - arguments: The arguments of the program.
    ///   - environment: The environment variables to add or to change.
    ///   - destination: The destination of the standard output.
    ///   - takesInput: Whether `write(_:)` sends lines to the standard input of the program.
    /// - Throws: `CommandError` if the program is not installed or cannot be started.
    package init(
        _ program: String, _ arguments: [String] = [], environment: [String: String] = [:],
        output destination: Destination = .pipe, takesInput: Bool = false
    ) throws {
        guard let path = ChildProcess.path(of: program) else { throw CommandError("\(program) is not installed") }
        let inputPipe = takesInput ? try Self.inputPipe() : nil
        input = inputPipe?.writing
        // Programs are started one at a time: another child could inherit a pipe between `pipe` and `fcntl`, and keep
        // the pipe open.
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

    /// Returns a pipe for standard input, whose ends other programs do not inherit.
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
    /// - Throws: `CommandError` with the output if the program ends first.
    package func waitForOutput(containing text: String) throws {
        var seen: [String] = []
        while let line = output.line() {
            if line.contains(text) { return }
            seen.append(line)
        }
        throw CommandError("'\(text)' was never written, but: \(seen.joined(separator: "\n"))")
    }

    /// Waits for the end of the program, and returns its output.
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

    /// Sends a signal; has no effect after the end of the program.
    package func send(_ signal: Int32) {
        if exit == nil { _ = Foundation.kill(identifier, signal) }
    }

    /// Stops the program (SIGTERM) and waits for its end.
    ///
    /// The signal is repeated each second: mosquitto loses one that arrives before its loop begins.
    @discardableResult
    package func terminate() -> Exit {
        if let exit { return exit }
        let process = identifier
        let queue = DispatchQueue(label: "SIGTERM")
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler { _ = Foundation.kill(process, SIGTERM) }
        timer.schedule(deadline: .now(), repeating: 1)
        timer.activate()
        // The process keeps its number until `wait`.
        var information = siginfo_t()
        while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
        queue.sync { timer.cancel() }
        return wait()
    }

    /// Kills the program.
    package func kill() {
        send(SIGKILL)
        wait()
    }
}

/// Calls `body` with the strings as a null-terminated array of C strings.
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
