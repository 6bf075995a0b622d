import Bluetooth
import DBus

/// The object on the bus that answers bluetoothd's questions during a pairing: `org.bluez.Agent1`.
///
/// The agent is registered during a pairing, and as long as bonds are expected.
///
/// Source: BlueZ, doc/org.bluez.Agent.rst.
final class PairingAgent {
    static let path = "/io/bluefleet/agent"

    /// The capability with which the agent is registered; nil: the agent is not registered.
    var capability: AgentCapability? { registration?.capability }
    var isPairing: Bool { !pairings.isEmpty }

    /// The answers for the pairings that are under way, by the peripheral's address.
    private(set) var pairings: [Address: PairingAnswers] = [:]
    /// The answers for the peripherals that may request a bond at any time, by the peripheral's address.
    private var expected: [Address: PairingAnswers] = [:]
    /// The peripherals whose present pairing has asked a question.
    private var asked: Set<Address> = []
    private var registration: Registration?
    /// Incremented when the registration is lost; the result of a registration that began earlier is ignored.
    private var epoch = 0
    /// bluetoothd's unique name on the bus; calls of other programs are rejected.
    private var owner: String?
    private var openQuestion: Message?

    private struct Registration: Equatable {
        let capability: AgentCapability
        /// Whether the agent is bluetoothd's default agent, which also answers if the peripheral starts the pairing.
        let isDefault: Bool
    }

    // MARK: Answers

    func isExpected(_ peripheral: Address) -> Bool {
        expected[peripheral] != nil
    }

    /// Sets the answers for a peripheral that may request a bond at any time; nil: requests are no longer accepted.
    func expect(_ peripheral: Address, _ answers: PairingAnswers?) {
        expected[peripheral] = answers
    }

    func beginPairing(with peripheral: Address, _ answers: PairingAnswers) {
        pairings[peripheral] = answers
        asked.remove(peripheral)
    }

    /// Returns whether bluetoothd has asked a question since the pairing began.
    func wasAsked(about peripheral: Address) -> Bool {
        asked.contains(peripheral)
    }

    /// Ends a pairing; the answer to an open question is ignored.
    func endPairing(with peripheral: Address) {
        pairings[peripheral] = nil
        asked.remove(peripheral)
        openQuestion = nil
    }

    // MARK: Registration

    /// Registers the agent for a pairing with these answers.
    func register(for answers: PairingAnswers, _ connection: Connection) async throws(DBusError) {
        let capability = AgentCapability([answers])
        if registration?.capability == capability { return }
        try await register(Registration(capability: capability, isDefault: false), connection)
    }

    /// Registers the agent as the default agent if bonds are expected, and unregisters the agent otherwise.
    func settle(_ connection: Connection) async throws(DBusError) {
        guard !expected.isEmpty else { return try await unregister(connection) }
        let wanted = Registration(capability: AgentCapability(expected.values), isDefault: true)
        if registration != wanted { try await register(wanted, connection) }
    }

    /// Notes that the registration is lost, because bluetoothd is gone or has released the agent.
    func reset() {
        epoch += 1
        registration = nil
        owner = nil
        openQuestion = nil
    }

    private func register(_ wanted: Registration, _ connection: Connection) async throws(DBusError) {
        try await unregister(connection)
        let epoch = epoch
        owner = try await connection.owner(of: BlueZName.service)
        let manager = Self.manager(connection)
        let arguments: [Variant] = [.objectPath(Self.path), .string(wanted.capability.rawValue)]
        do throws(DBusError) {
            try await manager.call("RegisterAgent", arguments)
        } catch {
            // An earlier call without a reply has registered the agent.
            guard error.name == BlueZError.alreadyExists else { throw error }
            try await manager.call("UnregisterAgent", [.objectPath(Self.path)])
            try await manager.call("RegisterAgent", arguments)
        }
        if wanted.isDefault { try await manager.call("RequestDefaultAgent", [.objectPath(Self.path)]) }
        // bluetoothd may have restarted during the calls; the new process has no registration.
        if epoch == self.epoch { registration = wanted }
    }

    private func unregister(_ connection: Connection) async throws(DBusError) {
        guard registration != nil else { return }
        registration = nil
        try await Self.manager(connection).call("UnregisterAgent", [.objectPath(Self.path)])
    }

    private static func manager(_ connection: Connection) -> RemoteObject {
        RemoteObject(connection: connection, path: "/org/bluez", interface: BlueZName.agentManager)
    }

    // MARK: Questions

    /// The calls by which bluetoothd needs or shows a passkey.
    private static let questions: Set = ["RequestPasskey", "RequestConfirmation", "DisplayPasskey"]

    /// Handles a call of bluetoothd.
    ///
    /// - Parameters:
    ///   - call: The call.
    ///   - address: Returns the address of the peripheral with an object path; nil: there is no such peripheral.
    ///   - send: Sends a message.
    ///   - later: Called with the call and the answer, if the answer is not available at once.
    /// - Returns: Whether the call is addressed to the agent.
    func handle(
        _ call: Message, address: (String) -> Address?, send: (Message) -> Void,
        later: @escaping @Sendable (Message, Passkey?) -> Void
    ) -> Bool {
        guard call.path == Self.path, call.interface == BlueZName.agent else { return false }
        guard call.sender == owner else {
            send(Self.rejection(of: call))
            return true
        }
        let arguments = call.arguments
        let peripheral = arguments.first?.text.flatMap(address)
        let answers = peripheral.flatMap { pairings[$0] ?? expected[$0] }
        let number = arguments.dropFirst().first?.integer.flatMap { Passkey($0) }
        if let peripheral, pairings[peripheral] != nil, Self.questions.contains(call.member) {
            asked.insert(peripheral)
        }
        switch (call.member, peripheral, answers) {
        case ("Release", _, _):
            reset()
            send(Self.consent(to: call))
        case ("Cancel", _, _):
            openQuestion = nil
            send(Self.consent(to: call))
        case ("RequestAuthorization", _, let answers?):
            // The peripheral wants a bond without a question.
            send(answers.passkey == nil ? Self.consent(to: call) : Self.rejection(of: call))
        case ("AuthorizeService", _, .some):
            send(Self.consent(to: call))
        case ("DisplayPasskey", _, let answers?):
            // bluetoothd repeats the call for each digit that is entered.
            if let number, arguments.last?.integer == 0 { answers.display?(number) }
            send(Self.consent(to: call))
        case ("RequestPasskey", let peripheral?, let answers?):
            ask(.passkey, peripheral, answers, call, send, later)
        case ("RequestConfirmation", let peripheral?, let answers?):
            guard let number else { fallthrough }
            ask(.comparison(number), peripheral, answers, call, send, later)
        default:
            send(Self.rejection(of: call))
        }
        return true
    }

    private func ask(
        _ subject: PairingQuestion.Subject, _ peripheral: Address, _ answers: PairingAnswers, _ call: Message,
        _ send: (Message) -> Void, _ later: @escaping @Sendable (Message, Passkey?) -> Void
    ) {
        if answers.passkey == nil, let ask = answers.ask {
            openQuestion = call
            ask(PairingQuestion(peripheral: peripheral, subject: subject) { later(call, $0) })
        } else {
            send(Self.reply(to: call, with: answers.passkey))
        }
    }

    /// Returns the reply to a question; nil: bluetoothd no longer waits for the reply.
    func replyIfOpen(to call: Message, with passkey: Passkey?) -> Message? {
        guard openQuestion === call else { return nil }
        openQuestion = nil
        return Self.reply(to: call, with: passkey)
    }

    private static func reply(to call: Message, with passkey: Passkey?) -> Message {
        guard let passkey else { return rejection(of: call) }
        if call.member == "RequestPasskey" { return consent(to: call, [.uint32(passkey.value)]) }
        // A comparison is confirmed only if the passkey is the number that the peripheral shows.
        return call.arguments.last?.integer == Int(passkey.value) ? consent(to: call) : rejection(of: call)
    }

    private static func consent(to call: Message, _ results: [Variant] = []) -> Message {
        do throws(DBusError) {
            return try Message(replyingTo: call, results)
        } catch {
            return Message(answering: call, with: error)
        }
    }

    private static func rejection(of call: Message) -> Message {
        Message(answering: call, with: DBusError(BlueZError.rejected, "bluefleet does not expect this pairing"))
    }
}
