internal import CLinux

/// The machine's clock.
package enum SystemClock {
    /// Whether something, such as systemd-timesyncd, keeps it right; nil where the kernel does not tell.
    package static var isKept: Bool? {
        switch bluefleet_clock_is_kept() {
        case 0: false
        case 1: true
        default: nil
        }
    }
}
