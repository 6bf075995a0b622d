import CLinux
import Foundation
import TestSupport

/// A command that runs until it receives a signal.
final class RunningBluefleet {
    private let command: Command

    /// Starts a command; `terminal` is its standard output in place of a pipe.
    ///
    /// The terminal is closed in this process, so that its end is noticed.
    convenience init(_ arguments: String..., environment: [String: String] = [:], terminal: FileHandle? = nil) throws {
        try self.init(arguments, environment: environment, terminal: terminal)
    }

    /// Starts a command; `terminal` is its standard output in place of a pipe.
    ///
    /// The terminal is closed in this process, so that its end is noticed.
    init(_ arguments: [String], environment: [String: String] = [:], terminal: FileHandle? = nil) throws {
        command = try Command(
            Bluefleet.path.path, arguments, environment: environment, output: terminal.map { .file($0) } ?? .ownPipe)
        try terminal?.close()
    }

    /// Runs a command at a terminal, with its results in a pipe.
    init(_ arguments: [String], at terminal: Pseudoterminal) throws {
        command = try Command(
            Bluefleet.path.path, arguments, environment: ["TERM": "xterm"], output: .pipeAtTerminal(terminal.device))
        try terminal.device.close()
    }

    var identifier: Int32 { command.identifier }
    var output: OutputPipe { command.output }
    var error: OutputPipe { command.error }

    func send(_ signal: Int32) {
        command.send(signal)
    }

    /// The processes that the command has started.
    var children: [Int32] {
        let list = try? String(contentsOfFile: "/proc/\(identifier)/task/\(identifier)/children", encoding: .utf8)
        return (list ?? "").split(separator: " ").compactMap { Int32($0) }
    }

    /// Waits for the end of a process that is not a child of this process.
    static func waitForEnd(of process: Int32) {
        let descriptor = bluefleet_pidfd_open(process)
        guard descriptor >= 0 else { return }
        var end = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        poll(&end, 1, -1)
        close(descriptor)
    }

    /// Waits for the end of the command and returns its status like a shell.
    func exit() -> Int32 {
        command.wait().shellStatus
    }
}

extension Command.Exit {
    /// The status that a shell reports.
    var shellStatus: Int32 {
        switch self {
        case .code(let code): code
        case .signal(let signal): 128 + signal
        }
    }
}
