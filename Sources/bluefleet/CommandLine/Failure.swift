/// Why a command did not do what was asked: what failed, on which object, and what to do now.
struct Failure: Error {
    let status: ExitStatus
    /// For standard error, after the command's name; nil where everything has been said.
    let message: String?

    init(_ status: ExitStatus, _ message: String? = nil) {
        self.status = status
        self.message = message
    }

    /// The message for standard error, after the name of what failed; nil where there is none.
    ///
    /// - Parameter wraps: Whether its lines end within 80 columns, between two words. Programs get each whole.
    func text(by name: String, wraps: Bool) -> String? {
        guard let message else { return nil }
        let lines = "\(name): \(message)".split(separator: "\n", omittingEmptySubsequences: false)
        // What is indented already points at a place in it.
        return lines.flatMap { wraps && !$0.hasPrefix(" ") ? Paragraph(String($0)).lines(hanging: 2) : [String($0)] }
            .joined(separator: "\n")
    }
}
