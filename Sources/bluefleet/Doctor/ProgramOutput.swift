internal import Bridge
internal import EventLoop

/// What a program of the system writes to its standard output.
enum ProgramOutput {
    /// Runs a program to its end; nil when it cannot be run.
    static func text(
        _ path: String, _ arguments: [String], on loop: EventLoop, isolation: isolated (any Actor)? = #isolation
    ) async -> String? {
        do throws(EventLoopError) {
            let folder = try TemporaryFolder()
            defer { folder.remove() }
            let file = "\(folder.path)/output"
            let process = try ChildProcess(path, arguments, output: .file(file), on: loop)
            _ = await process.exit()
            return TextFile.read(file)
        } catch {
            // Not worth a word: what these programs say only explains what else goes wrong.
            return nil
        }
    }
}
