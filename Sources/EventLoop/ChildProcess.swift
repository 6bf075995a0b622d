internal import CLinux
internal import Glibc

/// Another program that runs for us: it ends when this process ends, and tells the loop when it ends before.
///
/// Confined to the loop's thread.
package final class ChildProcess {
    package enum Output: Sendable {
        /// To where our own goes.
        case inherited
        /// To nowhere.
        case discarded
        /// Appended to a file.
        case file(String)
    }

    /// The process's number.
    package let identifier: Int32
    /// The status it ended with (128 + the signal's number where a signal ended it); nil while it runs.
    package private(set) var status: Int32?

    private let loop: EventLoop
    private let descriptor: Int32
    private var waiting: [CheckedContinuation<Int32, Never>] = []

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - program: its name, looked for in `PATH` and in the system's folders for daemons, or its path.
    /// - Throws: `EventLoopError` that names the program when it is not there or does not start.
    package init(
        _ program: String, _ arguments: [String] = [], environment: [String: String] = [:],
        output: Output = .inherited, on loop: EventLoop
    ) throws(EventLoopError) {
        guard let path = Self.path(of: program) else {
            throw EventLoopError("cannot start \(program)", ENOENT)
        }
        let out = try Self.open(output)
        defer { if out >= 0 { close(out) } }
        let names = ([path] + arguments).map { strdup($0) }
        let variables = Self.variables(adding: environment).map { strdup($0) }
        defer { for text in names + variables { free(text) } }
        identifier = bluefleet_spawn(names + [nil], variables + [nil], out)
        guard identifier > 0 else { throw EventLoopError("cannot start \(path)", errno) }
        descriptor = bluefleet_pidfd_open(identifier)
        self.loop = loop
        guard descriptor >= 0 else {
            let code = errno
            kill()
            waitpid(identifier, nil, 0)
            throw EventLoopError("cannot watch \(path) (Linux 5.3 or later is needed)", code)
        }
        // Whoever has forgotten it: until its end it has to be waited for.
        loop.watch(descriptor, for: .readable) { [self] _ in ended() }
    }

    /// Asks the program to end.
    package func terminate() {
        if status == nil { kill(identifier, SIGTERM) }
    }

    /// Ends the program at once.
    package func kill() {
        if status == nil { Glibc.kill(identifier, SIGKILL) }
    }

    /// Waits for the program's end.
    package func exit(isolation: isolated (any Actor)? = #isolation) async -> Int32 {
        if let status { return status }
        return await withCheckedContinuation { waiting.append($0) }
    }

    /// Ends the program: politely, and by force after `patience`.
    package func stop(within patience: Duration = .seconds(5), isolation: isolated (any Actor)? = #isolation) async {
        terminate()
        let deadline = loop.schedule(after: patience) { self.kill() }
        _ = await exit()
        deadline.cancel()
    }

    private func kill(_ process: Int32, _ signal: Int32) {
        _ = Glibc.kill(process, signal)
    }

    private func ended() {
        var code: Int32 = 0
        // Where nobody wants to hear of children's ends (SIGCHLD is ignored), there is no status, and it counts as 0.
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

    /// Where a program is, or nil.
    package static func path(of program: String) -> String? {
        if program.contains("/") { return access(program, X_OK) == 0 ? program : nil }
        // Daemons live in sbin, which an ordinary user's PATH leaves out on Debian.
        let path = (getenv("PATH").map { String(cString: $0) } ?? "") + ":/usr/local/sbin:/usr/sbin:/sbin:/usr/bin:/bin"
        for folder in path.split(separator: ":") where access("\(folder)/\(program)", X_OK) == 0 {
            return "\(folder)/\(program)"
        }
        return nil
    }

    private static func open(_ output: Output) throws(EventLoopError) -> Int32 {
        let path: String
        switch output {
        case .inherited: return -1
        case .discarded: path = "/dev/null"
        case .file(let name): path = name
        }
        let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw EventLoopError("cannot write \(path)", errno) }
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
