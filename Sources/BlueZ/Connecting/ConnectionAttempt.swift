internal import EventLoop

/// A wish for a link, from the call to its outcome.
final class ConnectionAttempt {
    let links: AdapterLinks
    /// Nobody wants the link any more.
    private(set) var isGivenUp = false
    /// Its turn is over: others wait.
    private(set) var isInterrupted = false
    /// Another adapter is to make the link, which has a slot, or somebody else has made it.
    private(set) var isMoved = false
    /// When its turn began, if it has had one.
    private(set) var turnStart: Instant?
    /// bluetoothd has been asked for the link.
    var isPending = false

    /// Whether the scan has to go on: bluetoothd forgets who has a private address as soon as nobody scans.
    let keepsScan: Bool

    init(_ links: AdapterLinks, keepsScan: Bool) {
        self.links = links
        self.keepsScan = keepsScan
    }

    /// Whether nothing more is to be tried for now.
    var isToEnd: Bool { isGivenUp || isInterrupted }

    func giveUp() { isGivenUp = true }
    func move() { isMoved = true }
    func interrupt() { isInterrupted = true }
    /// It has its turn.
    func resume(at now: Instant) {
        isInterrupted = false
        turnStart = now
    }
}
