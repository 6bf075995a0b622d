import EventLoop

/// The state of the hand-over of messages that must be kept.
struct Keeping {
    /// The size in bytes above which kept messages are handed over early in a long outage.
    static let largestBatch = 65_536
    /// The time between two checks while kept messages wait.
    static let interval = Duration.seconds(1)

    /// The timer of the next check; nil while no kept message waits.
    var timer: Timer?
    /// Whether messages were handed over since the last connection began: a long outage.
    var isOutageLong = false
}
