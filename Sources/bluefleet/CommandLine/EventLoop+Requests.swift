internal import EventLoop
internal import Glibc

extension EventLoop {
    /// Calls `handler` when SIGINT or SIGTERM asks to stop, and when SIGHUP comes.
    ///
    /// Whoever asks to stop a second time cannot wait: the process ends at once, with the status that shells give a
    /// signal.
    ///
    /// - Parameters:
    ///   - rereads: whether SIGHUP asks a daemon to read its configuration again; a program on a terminal has lost it.
    ///   - abandon: what must be done even where there is no time.
    func onRequests(
        rereads: Bool = false, abandon: @escaping () -> Void = {}, _ handler: @escaping (Request) -> Void
    ) throws(EventLoopError) {
        var isStopping = false
        try onSignals([SIGINT, SIGTERM, SIGHUP]) { signal in
            if rereads, signal == SIGHUP { return handler(.reload) }
            let status = ExitStatus(signal: signal)
            if isStopping {
                abandon()
                exit(status.rawValue)
            }
            isStopping = true
            handler(.stop(status))
        }
    }
}
