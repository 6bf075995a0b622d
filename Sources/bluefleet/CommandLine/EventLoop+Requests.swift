internal import EventLoop
internal import Glibc

extension EventLoop {
    /// Calls `handler` when SIGINT or SIGTERM asks to stop, and when SIGHUP comes.
    ///
    /// Whoever asks to stop a second time cannot wait: the process ends at once, with the status that shells give a
    /// signal. Where nohup, or a shell that has put it into the background, keeps SIGHUP or SIGINT from it, it stays so,
    /// but for a daemon.
    ///
    /// - Parameters:
    ///   - rereads: whether SIGHUP asks a daemon to read its configuration again; a program on a terminal has lost it.
    ///   - abandon: what must be done even where there is no time.
    func onRequests(
        rereads: Bool = false, abandon: @escaping () -> Void = {}, _ handler: @escaping (Request) -> Void
    ) throws(EventLoopError) {
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
            handler(.stop(status))
        }
    }
}
