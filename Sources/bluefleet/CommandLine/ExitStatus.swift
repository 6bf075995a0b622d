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
}
