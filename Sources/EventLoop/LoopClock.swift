import CLinux
import Glibc
import System

/// The source of the loop's time: the machine's clocks, or a clock that only a test advances.
enum LoopClock {
    case system
    case manual(Instant)

    /// The current time of the monotonic clock.
    var now: Instant {
        switch self {
        case .manual(let now): return now
        case .system:
            var moment = timespec()
            clock_gettime(CLOCK_BOOTTIME, &moment)
            return Instant(nanoseconds: Int64(moment.tv_sec) * 1_000_000_000 + Int64(moment.tv_nsec))
        }
    }

    /// The current time in UTC; a manual clock starts at 1970-01-01T00:00:00Z.
    var timestamp: Timestamp {
        switch self {
        case .manual(let now): return Timestamp(milliseconds: now.nanoseconds / 1_000_000)
        case .system:
            var moment = timespec()
            clock_gettime(CLOCK_REALTIME, &moment)
            return Timestamp(milliseconds: Int64(moment.tv_sec) * 1000 + Int64(moment.tv_nsec) / 1_000_000)
        }
    }

    var isManual: Bool {
        if case .manual = self { true } else { false }
    }

    mutating func advance(by duration: Duration) {
        guard case .manual(let now) = self else { preconditionFailure("only a manual clock can be advanced") }
        self = .manual(now + duration)
    }
}
