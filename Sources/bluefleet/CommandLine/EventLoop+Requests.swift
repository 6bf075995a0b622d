internal import EventLoop
internal import Glibc

extension EventLoop {
    /// Calls `handler` when SIGINT or SIGTERM asks to stop, and when SIGHUP comes.
    ///
    /// Whoever asks to stop a second time cannot wait: the process ends at once, with the status that shells give a
    /// signal.
    ///
    /// - Parameters:
    ///   - hangUp: what SIGHUP asks for: a daemon reads its configuration again, a program on a terminal has lost it.
    ///   - abandon: what must be done even where there is no time.
    func onRequests(
        hangUp: Request, abandon: @escaping () -> Void = {}, _ handler: @escaping (Request) -> Void
    ) throws(EventLoopError) {
        var isStopping = false
        try onSignals([SIGINT, SIGTERM, SIGHUP]) { signal in
            let request = signal == SIGHUP ? hangUp : .stop
            if case .stop = request {
                if isStopping {
                    abandon()
                    exit(128 + signal)
                }
                isStopping = true
            }
            handler(request)
        }
    }
}
