import DBus

/// A Pair that is not answered yet.
final class PairingAttempt {
    let call: Call
    /// Whether the services were being discovered for somebody who connected.
    var isBesideDiscovery = false
    /// Made over the link that there was, with what the agent could do when that was made.
    var isOverLink = false
    /// The agent that has not answered yet.
    var asked: Agents.Agent?
    private var isOver = false

    init(_ call: Call) {
        self.call = call
    }

    func fail(_ error: DBusError) {
        guard !isOver else { return }
        isOver = true
        call.fail(error)
    }

    func succeed() {
        guard !isOver else { return }
        isOver = true
        call.reply()
    }
}
