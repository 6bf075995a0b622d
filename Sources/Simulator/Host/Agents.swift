import DBus

/// The programs that answer questions during pairing.
final class Agents {
    enum Capability: String {
        case displayOnly = "DisplayOnly"
        case displayYesNo = "DisplayYesNo"
        case keyboardOnly = "KeyboardOnly"
        case noInputNoOutput = "NoInputNoOutput"
        case keyboardDisplay = "KeyboardDisplay"

        var canEnter: Bool { self == .keyboardOnly || self == .keyboardDisplay }
        var canDisplay: Bool { self == .displayOnly || self == .displayYesNo || self == .keyboardDisplay }
        var canCompare: Bool { self == .displayYesNo || self == .keyboardDisplay }
    }

    struct Agent {
        let client: String
        let path: String
        let capability: Capability
    }

    private var agents: [Agent] = []
    private var defaultClient: String?
    /// What adapters have been told of the agent that is there for all; it stays when that has gone.
    private(set) var adapterCapability = Capability.noInputNoOutput

    /// The client's own agent, or the one that is there for all.
    func agent(for client: String) -> Agent? {
        agents.first { $0.client == client } ?? agents.first { $0.client == defaultClient }
    }

    func register(_ client: String, _ path: String, capability: String) throws(DBusError) {
        guard !agents.contains(where: { $0.client == client }) else { throw BlueZError.alreadyExists }
        guard let capability = Capability(rawValue: capability.isEmpty ? "KeyboardDisplay" : capability) else {
            throw BlueZError.invalidArguments
        }
        agents.append(Agent(client: client, path: path, capability: capability))
        if defaultClient == nil { makeDefault(client) }
    }

    func unregister(_ client: String, _ path: String) throws(DBusError) {
        try check(client, path)
        remove(client)
    }

    func makeDefault(_ client: String, _ path: String) throws(DBusError) {
        try check(client, path)
        makeDefault(client)
    }

    private func makeDefault(_ client: String) {
        defaultClient = client
        guard let agent = agent(for: client) else { return }
        adapterCapability = agent.capability
    }

    func remove(_ client: String) {
        agents.removeAll { $0.client == client }
        if defaultClient == client { defaultClient = nil }
    }

    private func check(_ client: String, _ path: String) throws(DBusError) {
        guard agents.contains(where: { $0.client == client && $0.path == path }) else {
            throw BlueZError.doesNotExist
        }
    }
}
