import Contract
import EventLoop
import Glibc
import System

/// A request to a running command, which the command receives as a signal.
enum SignalRequest: Sendable {
    /// A request to stop the command. If the command has not finished, it ends with this exit status.
    case stop(ExitStatus)
    /// A request to reload the configuration.
    case reload
}

extension EventLoop {
    /// Calls `handler` for SIGINT and SIGTERM, which stop the command, and for SIGHUP.
    ///
    /// A second request to stop ends the process at once, with the status with which shells report the signal. If
    /// `rereads` is false, SIGHUP and SIGINT remain ignored if the parent process ignores them, e.g. nohup or a shell
    /// that runs the command in the background.
    ///
    /// - Parameters:
    ///   - rereads: Whether SIGHUP reloads the configuration; otherwise SIGHUP stops the command.
    ///   - abandon: Called before a second request to stop ends the process.
    ///   - handler: Called for each other request.
    /// - Throws: `SystemError` if the signals cannot be received.
    func onRequests(
        rereads: Bool = false, abandon: @escaping () -> Void = {}, _ handler: @escaping (SignalRequest) -> Void
    ) throws(SystemError) {
        var isStopping = false
        let deliberate = [SIGINT, SIGHUP].filter { rereads || !Self.isIgnored($0) }
        try onSignals(deliberate + [SIGTERM]) { signal in
            if rereads, signal == SIGHUP { return handler(.reload) }
            let status = ExitStatus(signal: signal)
            if isStopping {
                abandon()
                exit(status.rawValue)
            }
            isStopping = true
            StandardStream.willStop()
            handler(.stop(status))
        }
    }
}
