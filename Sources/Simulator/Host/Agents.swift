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
    /// The clients whose agents have been made the one that is there for all, the last of them last.
    private var defaults: [String] = []
    /// What adapters have been told of the agent that is there for all; it stays when that has gone.
    private(set) var adapterCapability = Capability.noInputNoOutput

    /// The client's own agent, or the one that is there for all.
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
        tellAdapters()
    }

    func remove(_ client: String) {
        agents.removeAll { $0.client == client }
        defaults.removeAll { $0 == client }
        tellAdapters()
    }

    private func tellAdapters() {
        if let defaultAgent { adapterCapability = defaultAgent.capability }
    }

    private func check(_ client: String, _ path: String) throws(DBusError) {
        guard agents.contains(where: { $0.client == client && $0.path == path }) else {
            throw BlueZError.doesNotExist
        }
    }
}
