import Bluetooth
import DBus
import EventLoop

/// One process of bluetoothd: its objects on the bus, from its start to its end.
final class Host {
    let fleet: SimulatedFleet
    let air: Air
    let storage: Storage
    let tree: ObjectTree
    let agents: Agents
    /// Sends a numbered call to a client; the answer is passed to `answered` with this number.
    private let caller: (Message, Int) -> Void
    private var answers: [Int: (Result<[Variant], DBusError>) -> Void] = [:]
    private var calls = 0
    private(set) var adapters: [AdapterObject] = []
    private let root = RootObject()
    private let manager: ManagerObject

    var loop: EventLoop { air.loop }

    /// - Parameters:
    ///   - fleet: The fleet to simulate.
    ///   - air: The radio medium.
    ///   - storage: The devices that bluetoothd stores.
    ///   - connection: The connection to the bus, on which the objects are exported.
    ///   - caller: Sends a numbered call to a client, and passes the answer to `answered` with this number.
    init(
        _ fleet: SimulatedFleet, in air: Air, storage: Storage, on connection: Connection,
        caller: @escaping (Message, Int) -> Void
    ) {
        self.fleet = fleet
        self.air = air
        self.storage = storage
        self.caller = caller
        tree = ObjectTree(on: connection)
        agents = Agents()
        manager = ManagerObject(agents, version: fleet.version)
        tree.add(root)
    }

    /// Exports the adapters, once the connection owns the name `org.bluez`.
    func start(with models: [SimulatedFleet.Adapter]) {
        tree.add(manager)
        for model in models {
            if model.delay == .zero {
                add(model)
            } else {
                loop.schedule(after: model.delay) { [weak self] in self?.add(model) }
            }
        }
    }

    /// Answers a call; with the fault "access denied", rejects the call with the error of the bus's policy.
    func handle(_ message: Message) {
        for adapter in adapters where adapter.faults.happens(.accessDenied) {
            let error = DBusError(DBusError.accessDenied, "Rejected send message, 1 matched rules")
            return Call(message, to: tree).fail(error)
        }
        tree.handle(message)
    }

    /// Ends the sessions of a client that has left the bus.
    func clientLeft(_ client: String) {
        agents.remove(client)
        for adapter in adapters { adapter.clientLeft(client) }
    }

    /// Handles a client's signal that properties of one of its advertisements have changed.
    func propertiesChanged(_ message: Message) {
        for adapter in adapters { adapter.advertisements.propertiesChanged(message) }
    }

    /// Ends bluetoothd and all connections, without signals.
    func close() {
        tree.close()
        for adapter in adapters { adapter.close() }
        adapters = []
    }

    /// Calls a method of an agent.
    func ask(
        _ agent: Agents.Agent, _ method: String, _ arguments: [Variant],
        answer: @escaping (Result<[Variant], DBusError>) -> Void
    ) {
        ask(agent.client, agent.path, "org.bluez.Agent1", method, arguments, answer: answer)
    }

    /// Calls a method of an object of a client.
    func ask(
        _ client: String, _ path: String, _ interface: String, _ method: String, _ arguments: [Variant],
        answer: @escaping (Result<[Variant], DBusError>) -> Void
    ) {
        do throws(DBusError) {
            let message = try Message(call: method, on: interface, at: path, of: client, arguments)
            tree.flush()
            calls += 1
            answers[calls] = answer
            caller(message, calls)
        } catch {
            answer(.failure(error))
        }
    }

    /// Calls `Cancel` of an agent that has not answered its question yet.
    func cancelQuestion(of agent: Agents.Agent) {
        ask(agent, "Cancel", []) { _ in }
    }

    func answered(_ number: Int, _ result: Result<[Variant], DBusError>) {
        answers.removeValue(forKey: number)?(result)
    }

    // MARK: Adapters

    func adapter(_ name: String) -> AdapterObject? {
        adapters.first { $0.model.fullName == name } ?? adapters.first { $0.model.address.description == name }
    }

    /// Plugs an adapter in.
    func add(_ model: SimulatedFleet.Adapter) {
        let adapter = AdapterObject(model, in: self)
        adapters.append(adapter)
        tree.add(adapter)
        adapter.restoreDevices()
    }

    /// Unplugs an adapter.
    func remove(_ adapter: AdapterObject) {
        adapter.removeDevices()
        adapter.close()
        adapters.removeAll { $0 === adapter }
        tree.remove(adapter)
    }
}
