import Bluetooth
import DBus
import EventLoop

/// One run of bluetoothd: its objects on the bus, from its start to its end.
final class Host {
    let fleet: Fleet
    let air: Air
    let storage: Storage
    let tree: ObjectTree
    let agents: Agents
    /// Sends a call to a client and has `answered` called with its number.
    var caller: ((Message, Int) -> Void)?
    private var answers: [Int: (Result<[Variant], DBusError>) -> Void] = [:]
    private var calls = 0
    private(set) var adapters: [AdapterObject] = []
    private let root = RootObject()
    private let manager: ManagerObject

    var loop: EventLoop { air.loop }

    init(_ fleet: Fleet, in air: Air, storage: Storage, on connection: Connection) {
        self.fleet = fleet
        self.air = air
        self.storage = storage
        tree = ObjectTree(on: connection)
        agents = Agents()
        manager = ManagerObject(agents)
        tree.add(root)
    }

    /// Exports what there is, once the name is bluetoothd's.
    func start(with models: [Fleet.Adapter]) {
        tree.add(manager)
        for model in models {
            if model.delay == .zero {
                add(model)
            } else {
                loop.schedule(after: model.delay) { [weak self] in self?.add(model) }
            }
        }
    }

    /// Answers a call, or refuses it where a fault stands in for the bus's policy.
    func handle(_ message: Message) {
        for adapter in adapters where adapter.faults.happens(.accessDenied) {
            let error = DBusError(DBusError.accessDenied, "Rejected send message, 1 matched rules")
            return Call(message, to: tree).fail(error)
        }
        tree.handle(message)
    }

    /// A client has left the bus: what was done for it ends.
    func clientLeft(_ client: String) {
        agents.remove(client)
        for adapter in adapters { adapter.clientLeft(client) }
    }

    /// The end of bluetoothd: the links go with it, and nothing is signalled.
    func close() {
        tree.close()
        for adapter in adapters { adapter.close() }
        adapters = []
    }

    /// Asks an agent.
    func ask(
        _ agent: Agents.Agent, _ method: String, _ arguments: [Variant],
        answer: @escaping (Result<[Variant], DBusError>) -> Void
    ) {
        do throws(DBusError) {
            let message = try Message(
                call: method, on: "org.bluez.Agent1", at: agent.path, of: agent.client, arguments)
            tree.flush()
            calls += 1
            answers[calls] = answer
            caller?(message, calls)
        } catch {
            answer(.failure(error))
        }
    }

    /// Tells an agent that its answer is not wanted any more.
    func cancelQuestion(of agent: Agents.Agent) {
        ask(agent, "Cancel", []) { _ in }
    }

    func answered(_ number: Int, _ result: Result<[Variant], DBusError>) {
        answers.removeValue(forKey: number)?(result)
    }

    // MARK: Adapters

    func adapter(_ name: String) -> AdapterObject? {
        adapters.first { $0.model.name == name } ?? adapters.first { $0.model.address.description == name }
    }

    /// An adapter is plugged in.
    func add(_ model: Fleet.Adapter) {
        let adapter = AdapterObject(model, in: self)
        adapters.append(adapter)
        tree.add(adapter)
        adapter.restoreDevices()
    }

    /// An adapter is pulled out.
    func remove(_ adapter: AdapterObject) {
        adapter.removeDevices()
        adapter.close()
        adapters.removeAll { $0 === adapter }
        tree.remove(adapter)
    }
}
