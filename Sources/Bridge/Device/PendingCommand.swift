internal import EventLoop

/// A command that waits for its device, or is being carried out.
struct PendingCommand {
    let identifier: Int
    let command: DeviceCommand
    let reply: ReplyAddress
    /// Ends the wait.
    let expiry: Timer
}
