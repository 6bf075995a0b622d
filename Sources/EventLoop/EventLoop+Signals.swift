internal import CLinux
internal import Glibc

extension EventLoop {
    /// Whether a signal does nothing, as nohup and shells make it for what they start.
    package static func isIgnored(_ signal: Int32) -> Bool {
        bluefleet_is_ignored(signal) != 0
    }

    /// Calls `handler` on the loop for each of `signals` that arrives, in place of what the signal would do.
    ///
    /// To be called before any other thread starts, since the signals are blocked for the calling thread and the
    /// threads that it will make.
    ///
    /// - Throws: `EventLoopError` when the system has no descriptor left.
    package func onSignals(_ signals: [Int32], _ handler: @escaping (Int32) -> Void) throws(EventLoopError) {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in signals {
            sigaddset(&set, signal)
        }
        pthread_sigmask(SIG_BLOCK, &set, nil)
        let descriptor = signalfd(-1, &set, bluefleet_SFD_CLOEXEC_NONBLOCK)
        guard descriptor >= 0 else { throw EventLoopError("cannot listen for signals", errno) }
        watch(descriptor, for: .readable) { _ in
            var info = signalfd_siginfo()
            while Glibc.read(descriptor, &info, MemoryLayout<signalfd_siginfo>.size) > 0 {
                handler(Int32(info.ssi_signo))
            }
        }
    }
}
