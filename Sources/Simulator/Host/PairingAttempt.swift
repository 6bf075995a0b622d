import DBus

/// A call of Pair that has not been answered yet.
final class PairingAttempt {
    let call: Call
    /// Whether service discovery was running when the call arrived, because of a Connect.
    let isBesideDiscovery: Bool
    /// Whether the pairing uses a connection that existed before, with the capability the agent had then.
    let isOverLink: Bool
    /// The agent that has not answered its question yet.
    private(set) var asked: Agents.Agent?
    private var isAnswered = false

    init(_ call: Call, isBesideDiscovery: Bool = false, isOverLink: Bool = false) {
        self.call = call
        self.isBesideDiscovery = isBesideDiscovery
        self.isOverLink = isOverLink
    }

    func ask(_ agent: Agents.Agent) {
        asked = agent
    }

    func agentAnswered() {
        asked = nil
    }

    func fail(_ error: DBusError) {
        guard !isAnswered else { return }
        isAnswered = true
        call.fail(error)
    }

    func succeed() {
        guard !isAnswered else { return }
        isAnswered = true
        call.reply()
    }
}
