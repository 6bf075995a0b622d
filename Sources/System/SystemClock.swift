import CLinux
import Glibc

/// The machine's calendar clock.
package enum SystemClock {
    /// Whether a time service, such as systemd-timesyncd, keeps the clock synchronized; nil if the kernel does not report it.
    package static var isSynchronized: Bool? {
        switch bluefleet_clock_is_synchronized() {
        case 0: false
        case 1: true
        default: nil
        }
    }
}
