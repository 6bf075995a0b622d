import CLinux
import Glibc
package import System

/// A program that this process starts.
///
/// The program ends with this process; the event loop reports an earlier end. Used only on the event loop's thread.
package final class ChildProcess {
    package enum Output: Sendable {
        /// The standard output and standard error of this process.
        case inherited
        /// `/dev/null`.
        case discarded
        /// Appended to the file at this path.
        case file(String)
    }

    /// The process identifier.
    package let identifier: Int32
    /// The exit status, or 128 + the signal's number if a signal ended the program; nil while the program runs.
    package private(set) var status: Int32?

    private let loop: EventLoop
    private let descriptor: Int32
    private var waiting: [CheckedContinuation<Int32, Never>] = []

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - program: A name, searched for in `PATH` and in the system's folders for daemons, or a path.
    ///   - arguments: The arguments after the program's name.
    ///   - environment: Variables in addition to those of this process.
    ///   - output: The destination of standard output and standard error.
    ///   - loop: The loop that reports the end of the program.
    /// - Throws: `SystemError`, which names the program, if the program is not installed or does not start.
    package init(
        _ program: String, _ arguments: [String] = [], environment: [String: String] = [:],
        output: Output = .inherited, on loop: EventLoop
    ) throws(SystemError) {
        guard let path = Self.path(of: program) else {
            throw SystemError("cannot start \(program)", ENOENT)
        }
        let out = try Self.open(output)
        defer { if out >= 0 { close(out) } }
        let names = ([path] + arguments).map { strdup($0) }
        let variables = Self.variables(adding: environment).map { strdup($0) }
        defer { for text in names + variables { free(text) } }
        identifier = bluefleet_spawn(names + [nil], variables + [nil], out)
        guard identifier > 0 else { throw SystemError("cannot start \(path)", errno) }
        descriptor = bluefleet_pidfd_open(identifier)
        self.loop = loop
        guard descriptor >= 0 else {
            let code = errno
            kill()
            waitpid(identifier, nil, 0)
            throw SystemError("cannot watch \(path) (Linux 5.3 or later is required)", code)
        }
        // The watch retains this object: the exit status must be collected even if the owner has released it.
        loop.watch(descriptor, for: .readable) { [self] _ in ended() }
    }

    /// Asks the program to end (SIGTERM).
    package func terminate() {
        if status == nil { kill(identifier, SIGTERM) }
    }

    /// Ends the program at once (SIGKILL).
    package func kill() {
        if status == nil { Glibc.kill(identifier, SIGKILL) }
    }

    /// Waits for the end of the program.
    ///
    /// - Returns: Its `status`.
    package func exit(isolation: isolated (any Actor)? = #isolation) async -> Int32 {
        if let status { return status }
        return await withCheckedContinuation { waiting.append($0) }
    }

    /// Ends the program: with SIGTERM, and after `limit` with SIGKILL.
    package func stop(within limit: Duration = .seconds(5), isolation: isolated (any Actor)? = #isolation) async {
        terminate()
        let deadline = loop.schedule(after: limit) { self.kill() }
        _ = await exit()
        deadline.cancel()
    }

    private func kill(_ process: Int32, _ signal: Int32) {
        _ = Glibc.kill(process, signal)
    }

    private func ended() {
        var code: Int32 = 0
        // If SIGCHLD is ignored, the kernel does not store the exit status, and `status` becomes 0.
        while waitpid(identifier, &code, 0) < 0, errno == EINTR {}
        loop.unwatch(descriptor)
        close(descriptor)
        let signal = code & 0x7F
        let status = signal == 0 ? (code >> 8) & 0xFF : 128 + signal
        self.status = status
        let waiting = self.waiting
        self.waiting = []
        for continuation in waiting { continuation.resume(returning: status) }
    }

    /// Returns the path of a program; nil if it is not installed.
    package static func path(of program: String) -> String? {
        if program.contains("/") { return access(program, X_OK) == 0 ? program : nil }
        // Daemons are in sbin, which is not in the PATH of an ordinary user on Debian.
        let path = (getenv("PATH").map { String(cString: $0) } ?? "") + ":/usr/local/sbin:/usr/sbin:/sbin:/usr/bin:/bin"
        for folder in path.split(separator: ":") where access("\(folder)/\(program)", X_OK) == 0 {
            return "\(folder)/\(program)"
        }
        return nil
    }

    private static func open(_ output: Output) throws(SystemError) -> Int32 {
        let path: String
        switch output {
        case .inherited: return -1
        case .discarded: path = "/dev/null"
        case .file(let name): path = name
        }
        let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SystemError("cannot write \(path)", errno) }
        return descriptor
    }

    private static func variables(adding extra: [String: String]) -> [String] {
        var variables: [String] = []
        var next = environ
        while let variable = next.pointee {
            let text = String(cString: variable)
            let name = String(text.prefix { $0 != "=" })
            if extra[name] == nil { variables.append(text) }
            next += 1
        }
        return variables + extra.map { "\($0.key)=\($0.value)" }
    }
}

extension SystemError {
    /// Creates the error for a program that ended at once, with the last line of the program's log as the reason.
    package init(endOf program: String, log: String) {
        let reason = (TextFile.read(log) ?? "").split(separator: "\n").last
        self.init("\(program) ended at once" + (reason.map { ": \($0)" } ?? ""))
    }
}
