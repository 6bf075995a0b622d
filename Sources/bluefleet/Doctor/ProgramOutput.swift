import EventLoop
import System

/// The standard output of an external program.
enum ProgramOutput: Equatable, Sendable {
    case text(String)
    /// The program did not end in time and was killed.
    case nothing(within: Duration)

    /// Runs a program and returns its output; nil if the program cannot be started.
    static func of(
        _ path: String, _ arguments: [String], within timeout: Duration = .seconds(10), on loop: EventLoop,
        isolation: isolated (any Actor)? = #isolation
    ) async -> ProgramOutput? {
        do throws(SystemError) {
            // The file is in memory, so that no file remains if the command is interrupted.
            let file = try MemoryFile()
            let process = try ChildProcess(path, arguments, output: .file(file.path), on: loop)
            var isLate = false
            let deadline = loop.schedule(after: timeout) {
                isLate = true
                process.kill()
            }
            _ = await process.exit()
            deadline.cancel()
            return isLate ? .nothing(within: timeout) : file.text.map { .text($0) }
        } catch {
            // The error is ignored: the other checks do not need the output.
            return nil
        }
    }
}
