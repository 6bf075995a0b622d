import EventLoop
import System

/// The standard output of an external program.
enum ProgramOutput: Equatable, Sendable {
    case text(String)
    /// The program did not end in time and was killed.
    case nothing(within: Duration)

    /// Runs a program until it ends; nil if it cannot be started.
    static func of(
        _ path: String, _ arguments: [String], within timeout: Duration = .seconds(10), on loop: EventLoop,
        isolation: isolated (any Actor)? = #isolation
    ) async -> ProgramOutput? {
        do throws(SystemError) {
            // In memory, so that nothing remains after an interruption.
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
            // Ignored: these programs only explain failures that other checks report.
            return nil
        }
    }
}
