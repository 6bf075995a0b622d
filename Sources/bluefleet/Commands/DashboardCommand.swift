import EventLoop
import Glibc

/// `bluefleet dashboard`: starts `bluefleet-dashboard`, a program of its own, in the place of this process.
struct DashboardCommand: Command {
    static let name = "dashboard"
    static let summary = "shows all gateways and devices in a browser"
    static let details = [
        """
        Starts the program bluefleet-dashboard of the package with this name: a page with the gateways and devices of \
        the broker, the last day of each value, and metrics for Prometheus. It needs only the sections mqtt and \
        dashboard of the configuration, and runs on any machine that has access to the broker. The page is at \
        http://127.0.0.1:2583/ unless dashboard.listen sets another address. SIGTERM and SIGINT stop it.
        """
    ]
    static let operands = [ConfigurationFile.operand]
    static let options = [Option.config]
    static let examples = ["bluefleet dashboard", "bluefleet dashboard --config page.yaml"]

    private let file: ConfigurationFile

    init(_ arguments: Arguments) throws(Failure) {
        file = try ConfigurationFile(operandOf: arguments)
    }

    func run() throws(Failure) {
        let program = ExternalProgram.dashboard
        guard let path = program.pathBesideThis ?? ChildProcess.path(of: program.name) else {
            throw Failure(.unavailable, "\(program.name) not found: sudo apt install \(program.package)")
        }
        // The copies last until the other program takes the place of this one, or until this one ends.
        let words: [UnsafeMutablePointer<CChar>?] = unsafe [strdup(path), strdup("--config"), strdup(file.path), nil]
        unsafe execv(path, words)
        throw Failure(.unavailable, "cannot start \(path): \(unsafe String(cString: strerror(errno)))")
    }
}
