import DBus

/// The registered agents: clients that answer questions during a pairing.
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
    /// The clients that have made their agent the default agent; the last of them has the current default agent.
    private var defaults: [String] = []
    /// The capability of the default agent; unchanged while there is no default agent.
    private(set) var adapterCapability = Capability.noInputNoOutput

    /// Returns the client's own agent, else the default agent; nil if there is none.
    func agent(for client: String) -> Agent? {
        agents.first { $0.client == client } ?? defaultAgent
    }

    private var defaultAgent: Agent? { agents.first { $0.client == defaults.last } }

    func register(_ client: String, _ path: String, capability: String) throws(DBusError) {
        guard !agents.contains(where: { $0.client == client }) else { throw BlueZError.alreadyExists }
        guard let capability = Capability(rawValue: capability.isEmpty ? "KeyboardDisplay" : capability) else {
            throw BlueZError.invalidArguments
        }
        agents.append(Agent(client: client, path: path, capability: capability))
        if defaults.isEmpty { makeDefault(client) }
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
        defaults.removeAll { $0 == client }
        defaults.append(client)
        updateAdapters()
    }

    func remove(_ client: String) {
        agents.removeAll { $0.client == client }
        defaults.removeAll { $0 == client }
        updateAdapters()
    }

    private func updateAdapters() {
        if let defaultAgent { adapterCapability = defaultAgent.capability }
    }

    private func check(_ client: String, _ path: String) throws(DBusError) {
        guard agents.contains(where: { $0.client == client && $0.path == path }) else {
            throw BlueZError.doesNotExist
        }
    }
}
