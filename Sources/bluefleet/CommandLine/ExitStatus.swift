import Glibc

/// The exit status of the program; the values from 64 to 78 are defined in sysexits.h.
enum ExitStatus: Int32 {
    case done = 0
    /// The command line is invalid.
    case usage = 64
    /// The input is invalid.
    case badData = 65
    /// Something that the command needs is unavailable.
    case unavailable = 69
    case noPermission = 77
    case badConfiguration = 78
    /// SIGHUP ended the command; the values from 129 on are those with which shells report signals.
    case hungUp = 129
    /// SIGINT (Ctrl-C) ended the command.
    case interrupted = 130
    /// SIGTERM ended the command.
    case terminated = 143

    /// Creates the status of a command that a signal has ended.
    init(signal: Int32) {
        switch signal {
        case SIGHUP: self = .hungUp
        case SIGTERM: self = .terminated
        default: self = .interrupted
        }
    }

    /// The meaning of each status, for the manual page.
    static let meanings: [(ExitStatus, String)] = [
        (.done, "success"), (.usage, "the command line is invalid"), (.badData, "the input is invalid"),
        (.unavailable, "something that the command needs is unavailable, e.g. a device, bluetoothd or the broker"),
        (.noPermission, "a permission, a password or a bond is missing"),
        (.badConfiguration, "the configuration has mistakes"),
        (.hungUp, "SIGHUP ended the command: its terminal was closed"),
        (.interrupted, "SIGINT (Ctrl-C) ended the command"), (.terminated, "SIGTERM ended the command"),
    ]
}
