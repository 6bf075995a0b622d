internal import Glibc

/// How the program ends, in the numbers of sysexits.h where these have one.
enum ExitStatus: Int32 {
    case done = 0
    /// The command line itself is wrong.
    case usage = 64
    /// What was given to work on is wrong.
    case badData = 65
    /// Something that is needed is not there.
    case unavailable = 69
    case noPermission = 77
    case badConfiguration = 78
    /// SIGHUP before it was done; this and the next ones are the numbers that shells give the signals.
    case hungUp = 129
    /// Ctrl-C before it was done.
    case interrupted = 130
    /// SIGTERM before it was done.
    case terminated = 143

    /// The status of what a signal has ended.
    init(signal: Int32) {
        switch signal {
        case SIGHUP: self = .hungUp
        case SIGTERM: self = .terminated
        default: self = .interrupted
        }
    }

    /// What each means, for the manual.
    static let meanings: [(ExitStatus, String)] = [
        (.done, "it is done"), (.usage, "the command line is wrong"), (.badData, "what was given to work on is wrong"),
        (.unavailable, "something that is needed is not there: a device, bluetoothd, a broker"),
        (.noPermission, "a right, a password or a bond is missing"),
        (.badConfiguration, "the configuration has mistakes"), (.hungUp, "its terminal was closed before it was done"),
        (.interrupted, "it was interrupted before it was done"), (.terminated, "it was ended before it was done"),
    ]
}
