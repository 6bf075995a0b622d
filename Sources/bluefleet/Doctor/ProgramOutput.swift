internal import EventLoop

/// What a program of the system writes to its standard output.
enum ProgramOutput: Equatable, Sendable {
    case text(String)
    /// Not even its end came in time: it was ended.
    case nothing(within: Duration)

    /// Runs a program to its end; nil when it cannot be run.
    static func of(
        _ path: String, _ arguments: [String], within patience: Duration = .seconds(10), on loop: EventLoop,
        isolation: isolated (any Actor)? = #isolation
    ) async -> ProgramOutput? {
        do throws(EventLoopError) {
            // In memory: whoever interrupts it finds nothing left behind.
            let file = try MemoryFile()
            let process = try ChildProcess(path, arguments, output: .file(file.path), on: loop)
            var isLate = false
            let deadline = loop.schedule(after: patience) {
                isLate = true
                process.kill()
            }
            _ = await process.exit()
            deadline.cancel()
            return isLate ? .nothing(within: patience) : file.text.map { .text($0) }
        } catch {
            // Not worth a word: what these programs say only explains what else goes wrong.
            return nil
        }
    }
}
