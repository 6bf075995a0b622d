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
    /// Ctrl-C before it was done: the number that shells give SIGINT.
    case interrupted = 130

    /// What each means, for the manual.
    static let meanings: [(ExitStatus, String)] = [
        (.done, "it is done"), (.usage, "the command line is wrong"), (.badData, "what was given to work on is wrong"),
        (.unavailable, "something that is needed is not there: a device, bluetoothd, a broker"),
        (.noPermission, "a right, a password or a bond is missing"),
        (.badConfiguration, "the configuration has mistakes"), (.interrupted, "it was interrupted before it was done"),
    ]
}
