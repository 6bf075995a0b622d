import EventLoop
import Glibc
import System

/// An external program that a command starts.
struct ExternalProgram {
    let name: String
    /// The Debian package of the program.
    let package: String

    static let messageBus = ExternalProgram(name: "dbus-daemon", package: "dbus-daemon")
    static let dashboard = ExternalProgram(name: "bluefleet-dashboard", package: "bluefleet-dashboard")
    static let broker = ExternalProgram(name: "mosquitto", package: "mosquitto")

    /// Checks that programs are installed.
    ///
    /// - Throws: `Failure` with the command that installs the missing programs.
    static func require(_ programs: ExternalProgram...) throws(Failure) {
        let missing = programs.filter { ChildProcess.path(of: $0.name) == nil }
        guard !missing.isEmpty else { return }
        let names = missing.map(\.name).joined(separator: " and ")
        let packages = missing.map(\.package).joined(separator: " ")
        throw Failure(.unavailable, "\(names) not found: sudo apt install \(packages)")
    }

    /// The path of the program in the folder of this program; nil if it is not there.
    var pathBesideThis: String? {
        guard let own = unsafe realpath("/proc/self/exe", nil) else { return nil }
        defer { unsafe free(own) }
        let path = "\(Folder.parent(of: unsafe String(cString: own)))/\(name)"
        return unsafe access(path, X_OK) == 0 ? path : nil
    }
}
