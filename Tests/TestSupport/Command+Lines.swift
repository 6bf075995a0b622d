import Foundation

extension Command {
    /// Waits for the end of the program.
    ///
    /// - Parameter report: Called with each line of the output as it arrives.
    /// - Returns: The lines of the output.
    package func lines(_ report: @escaping @Sendable (String) -> Void) async -> [String] {
        // Foundation's Process sometimes misses the end of a child while exit tests run (Swift 6.3.1).
        await withCheckedContinuation { done in
            Thread.detachNewThread {
                var lines: [String] = []
                while let line = self.output.line() {
                    report(line)
                    lines.append(line)
                }
                self.wait()
                done.resume(returning: lines)
            }
        }
    }
}
