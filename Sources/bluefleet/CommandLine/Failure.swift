/// The failure of a command.
///
/// The message states what failed, on which object, and what to do.
struct Failure: Error {
    let status: ExitStatus
    /// The message for standard error, without the name of the command; nil for none.
    let message: String?

    init(_ status: ExitStatus, _ message: String? = nil) {
        self.status = status
        self.message = message
    }

    /// Creates the failure for a state folder that another process has locked.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - holder: The number of the process; nil if it is not known.
    ///   - advice: The steps that free the folder.
    init(_ folder: String, heldBy holder: Int?, advice: String) {
        let process = holder.map { "process \($0)" } ?? "another process"
        self.init(.unavailable, "\(folder) is in use by \(process): \(advice)")
    }

    /// Returns the message for standard error, after the name of the command; nil for none.
    ///
    /// If `wraps` is true, lines are wrapped to 80 columns, for a terminal.
    func text(by name: String, wraps: Bool) -> String? {
        guard let message else { return nil }
        let lines = "\(name): \(message)".split(separator: "\n", omittingEmptySubsequences: false)
        // Indented lines are excerpts with a caret, which must not be wrapped.
        return lines.flatMap { wraps && !$0.hasPrefix(" ") ? Paragraph(String($0)).lines(hanging: 2) : [String($0)] }
            .joined(separator: "\n")
    }
}
