internal import EventLoop

/// A program of the system that a command starts.
struct ExternalProgram {
    let name: String
    /// The Debian package that has it.
    let package: String

    static let messageBus = ExternalProgram(name: "dbus-daemon", package: "dbus-daemon")
    static let broker = ExternalProgram(name: "mosquitto", package: "mosquitto")

    /// - Throws: `Failure` that tells how to install what is not there.
    static func require(_ programs: ExternalProgram...) throws(Failure) {
        let missing = programs.filter { ChildProcess.path(of: $0.name) == nil }
        guard !missing.isEmpty else { return }
        let names = missing.map(\.name).joined(separator: " and ")
        let packages = missing.map(\.package).joined(separator: " ")
        throw Failure(.unavailable, "\(names) cannot be found: sudo apt install \(packages)")
    }
}
