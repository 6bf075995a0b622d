import CLinux
import Glibc
package import System

extension EventLoop {
    /// Returns whether the process ignores a signal: nohup(1) and shells start programs with some signals ignored.
    package static func isIgnored(_ signal: Int32) -> Bool {
        bluefleet_is_ignored(signal) != 0
    }

    /// Calls `handler` on the loop for each of `signals` that arrives, in place of the signal's default action.
    ///
    /// Must be called before any other thread starts: the method blocks the signals for the calling thread and for the
    /// threads that the calling thread creates later.
    ///
    /// - Throws: `SystemError` if the process has no file descriptor left.
    package func onSignals(_ signals: [Int32], _ handler: @escaping (Int32) -> Void) throws(SystemError) {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in signals {
            sigaddset(&set, signal)
        }
        pthread_sigmask(SIG_BLOCK, &set, nil)
        let descriptor = signalfd(-1, &set, bluefleet_SFD_CLOEXEC_NONBLOCK)
        guard descriptor >= 0 else { throw SystemError("cannot receive signals", errno) }
        watch(descriptor, for: .readable) { _ in
            var info = signalfd_siginfo()
            while Glibc.read(descriptor, &info, MemoryLayout<signalfd_siginfo>.size) > 0 {
                handler(Int32(info.ssi_signo))
            }
        }
    }
}
