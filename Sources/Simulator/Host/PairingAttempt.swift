import DBus

/// A call of Pair that has not been answered yet.
final class PairingAttempt {
    let call: Call
    /// Whether service discovery after a Connect was running when the call arrived.
    let isBesideDiscovery: Bool
    /// Whether the pairing uses the capability that the default agent had when the existing connection was made.
    let isOverLink: Bool
    /// The agent that has not answered its question yet; nil if there is no open question.
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
