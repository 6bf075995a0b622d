import DBus

/// The object at `/org/bluez`, where clients register agents.
final class ManagerObject: ExportedObject {
    let path = "/org/bluez"
    private let agents: Agents
    private let version: BluetoothdVersion

    init(_ agents: Agents, version: BluetoothdVersion) {
        self.agents = agents
        self.version = version
    }

    var interfaces: [any ExportedInterface] {
        let interfaces = [Interface(Self.agentManager, of: self), Interface(Self.profileManager, of: self)]
        return version.hasHealthManager ? interfaces + [Interface(Self.healthManager, of: self)] : interfaces
    }

    private static let agentManager = InterfaceTable<ManagerObject>(
        "org.bluez.AgentManager1",
        methods: [
            .init("RegisterAgent", takes: "os") { manager, call throws(DBusError) in
                try manager.agents.register(
                    call.client, call.arguments[0].text ?? "", capability: call.arguments[1].text ?? "")
                call.reply()
            },
            .init("UnregisterAgent", takes: "o") { manager, call throws(DBusError) in
                try manager.agents.unregister(call.client, call.arguments[0].text ?? "")
                call.reply()
            },
            .init("RequestDefaultAgent", takes: "o") { manager, call throws(DBusError) in
                try manager.agents.makeDefault(call.client, call.arguments[0].text ?? "")
                call.reply()
            },
        ])

    private static let profileManager = InterfaceTable<ManagerObject>(
        "org.bluez.ProfileManager1",
        methods: [
            .init("RegisterProfile", takes: "osa{sv}") { _, call in call.reply() },
            .init("UnregisterProfile", takes: "o") { _, call in call.reply() },
        ])

    private static let healthManager = InterfaceTable<ManagerObject>("org.bluez.HealthManager1")
}
