/// What a command that runs on and on is asked for by signals.
enum Request: Sendable {
    /// To end; whoever is not done then ends with this status.
    case stop(ExitStatus)
    /// To read the configuration again.
    case reload
}
