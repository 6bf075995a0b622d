import CLinux
import Foundation
import TestSupport

/// A command that runs on and on, until it is sent a signal.
final class RunningBluefleet {
    private let command: Command

    /// - Parameter terminal: takes its standard output in place of a pipe; closed here, so that its end can be seen.
    convenience init(_ arguments: String..., environment: [String: String] = [:], terminal: FileHandle? = nil) throws {
        try self.init(arguments, environment: environment, terminal: terminal)
    }

    /// - Parameter terminal: takes its standard output in place of a pipe; closed here, so that its end can be seen.
    init(_ arguments: [String], environment: [String: String] = [:], terminal: FileHandle? = nil) throws {
        command = try Command(
            Bluefleet.path.path, arguments, environment: environment, output: terminal.map { .file($0) } ?? .ownPipe)
        try terminal?.close()
    }

    /// Runs it as a person does, at a terminal: all but the results are there.
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

    /// Waits for its end, and gives the status that a shell would give.
    func exit() -> Int32 {
        command.wait().shellStatus
    }
}

extension Command.Exit {
    /// The number by which a shell tells of it.
    var shellStatus: Int32 {
        switch self {
        case .code(let code): code
        case .signal(let signal): 128 + signal
        }
    }
}
