/// What a command that runs on and on is asked for by signals.
enum Request: Sendable {
    case stop
    /// To read the configuration again.
    case reload
}
