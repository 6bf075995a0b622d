/// Why a command did not do what was asked: what failed, on which object, and what to do now.
struct Failure: Error {
    let status: ExitStatus
    /// For standard error, after the command's name; nil where everything has been said.
    let message: String?

    init(_ status: ExitStatus, _ message: String? = nil) {
        self.status = status
        self.message = message
    }
}
