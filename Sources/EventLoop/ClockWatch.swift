import CLinux
import Glibc
import System

/// Reports when the calendar clock is set, for example by the first synchronization of a machine without a battery.
///
/// A timer of the kernel is cancelled when the clock is set (timerfd_create(2), `TFD_TIMER_CANCEL_ON_SET`).
package final class ClockWatch {
    /// A smaller step is not reported: a time service slews the clock by milliseconds.
    private static let tolerance = Duration.seconds(1)

    private let loop: EventLoop
    private let descriptor: Int32
    private let handler: (Duration) -> Void
    /// The calendar time at the loop's time zero.
    private var offset: Int64

    /// - Parameters:
    ///   - loop: the loop that calls the handler.
    ///   - handler: receives the step; negative if the clock was set back.
    package init?(loop: EventLoop, _ handler: @escaping (_ step: Duration) -> Void) {
        self.loop = loop
        self.handler = handler
        offset = Self.offset(of: loop)
        descriptor = timerfd_create(CLOCK_REALTIME, Int32(bluefleet_TFD_CLOEXEC_NONBLOCK))
        guard descriptor >= 0 else { return nil }
        arm()
        loop.watch(descriptor, for: .readable) { [weak self] _ in self?.clockWasSet() }
    }

    /// Ends the reports.
    package func stop() {
        loop.unwatch(descriptor)
    }

    deinit { close(descriptor) }

    private static func offset(of loop: EventLoop) -> Int64 {
        loop.timestamp.milliseconds - loop.now.nanoseconds / 1_000_000
    }

    /// Sets the timer to a time that never comes.
    private func arm() {
        var time = itimerspec()
        time.it_value.tv_sec = .max / 2
        timerfd_settime(descriptor, Int32(bluefleet_TFD_CANCEL_ON_SET), &time, nil)
    }

    private func clockWasSet() {
        var count: UInt64 = 0
        // The read fails with ECANCELED when the clock was set.
        _ = read(descriptor, &count, 8)
        arm()
        let new = Self.offset(of: loop)
        let step = Duration.milliseconds(new - offset)
        guard step >= Self.tolerance || step <= .zero - Self.tolerance else { return }
        offset = new
        handler(step)
    }
}
