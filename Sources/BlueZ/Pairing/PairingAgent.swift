internal import Bluetooth
internal import DBus

/// What bluetoothd turns to with the questions of a pairing: an object of ours on the bus, `org.bluez.Agent1`.
///
/// It is registered while somebody is being paired with, and all the time where bonds are expected.
///
/// Source: BlueZ, doc/org.bluez.Agent.rst.
final class PairingAgent {
    static let path = "/io/bluefleet/agent"
    private static let interface = "org.bluez.Agent1"
    private static let manager = "org.bluez.AgentManager1"

    /// bluetoothd pairs with one peripheral at a time.
    let turn = Turnstile()
    /// Who answers for those that are being paired with.
    var pairings: [Address: PairingAnswers] = [:]
    /// Who answers for those with which a bond is expected, whenever they ask for one.
    var expected: [Address: PairingAnswers] = [:]

    /// What bluetoothd has been told that can be done; nil: nothing, there is no agent.
    var capability: AgentCapability? { registration?.capability }

    private var registration: Registration?
    /// Counts up when bluetoothd has forgotten what it was told.
    private var epoch = 0
    /// bluetoothd's own name on the bus: nobody else is answered.
    private var owner: String?
    private var openQuestion: Message?

    private struct Registration: Equatable {
        let capability: AgentCapability
        /// Whether also those are answered that nobody here has asked to pair with.
        let isDefault: Bool
    }

    // MARK: Registration

    /// Makes sure that bluetoothd has an agent for this pairing.
    func register(
        for answers: PairingAnswers, _ connection: Connection, isolation: isolated (any Actor)? = #isolation
    ) async throws(DBusError) {
        let capability = AgentCapability([answers])
        if registration?.capability == capability { return }
        try await register(Registration(capability: capability, isDefault: false), connection)
    }

    /// Makes the agent what it is to be while nobody is being paired with.
    func settle(_ connection: Connection, isolation: isolated (any Actor)? = #isolation) async throws(DBusError) {
        guard !expected.isEmpty else { return try await unregister(connection) }
        let wanted = Registration(capability: AgentCapability(expected.values), isDefault: true)
        if registration != wanted { try await register(wanted, connection) }
    }

    /// bluetoothd has gone, and with it what it knew.
    func reset() {
        epoch += 1
        registration = nil
        owner = nil
        openQuestion = nil
    }

    private func register(
        _ wanted: Registration, _ connection: Connection, isolation: isolated (any Actor)? = #isolation
    ) async throws(DBusError) {
        try await unregister(connection)
        let epoch = epoch
        owner = try await connection.owner(of: BlueZName.service)
        let arguments: [Variant] = [.objectPath(Self.path), .string(wanted.capability.rawValue)]
        do throws(DBusError) {
            try await call("RegisterAgent", arguments, connection)
        } catch {
            // One that an attempt without an answer has left behind.
            guard error.name == "org.bluez.Error.AlreadyExists" else { throw error }
            try await call("UnregisterAgent", [.objectPath(Self.path)], connection)
            try await call("RegisterAgent", arguments, connection)
        }
        if wanted.isDefault { try await call("RequestDefaultAgent", [.objectPath(Self.path)], connection) }
        // It may be another bluetoothd by now, which knows nothing.
        if epoch == self.epoch { registration = wanted }
    }

    private func unregister(
        _ connection: Connection, isolation: isolated (any Actor)? = #isolation
    ) async throws(DBusError) {
        guard registration != nil else { return }
        registration = nil
        try await call("UnregisterAgent", [.objectPath(Self.path)], connection)
    }

    private func call(
        _ member: String, _ arguments: [Variant], _ connection: Connection,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(DBusError) {
        let message = try Message(
            call: member, on: Self.manager, at: "/org/bluez", of: BlueZName.service, arguments)
        _ = try await connection.call(message)
    }

    // MARK: Questions

    /// Nobody is being paired with any more; an answer would come too late.
    func endPairing(of peripheral: Address) {
        pairings[peripheral] = nil
        openQuestion = nil
    }

    /// Answers bluetoothd.
    ///
    /// - Parameters:
    ///   - address: gives the peripheral that the question is about, by its object's path.
    ///   - answer: sends a message.
    ///   - later: called, with the question, by whoever answers it, with the answer.
    /// - Returns: whether the call is one for an agent.
    func handle(
        _ call: Message, address: (String) -> Address?, send: (Message) -> Void,
        later: @escaping @Sendable (Message, Passkey?) -> Void
    ) -> Bool {
        guard call.path == Self.path, call.interface == Self.interface else { return false }
        guard call.sender == owner else {
            send(Self.rejection(of: call))
            return true
        }
        let arguments = call.arguments
        let peripheral = arguments.first?.text.flatMap(address)
        let answers = peripheral.flatMap { pairings[$0] ?? expected[$0] }
        let number = arguments.dropFirst().first?.integer.flatMap { Passkey($0) }
        switch (call.member, peripheral, answers) {
        case ("Release", _, _):
            reset()
            send(Self.consent(to: call))
        case ("Cancel", _, _):
            openQuestion = nil
            send(Self.consent(to: call))
        case ("RequestAuthorization", _, .some), ("AuthorizeService", _, .some):
            send(Self.consent(to: call))
        case ("DisplayPasskey", _, let answers?):
            // It is told again with each digit that is entered.
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

    /// The reply to a question that was asked, if it still waits for one.
    func replyIfOpen(to call: Message, with passkey: Passkey?) -> Message? {
        guard openQuestion === call else { return nil }
        openQuestion = nil
        return Self.reply(to: call, with: passkey)
    }

    private static func reply(to call: Message, with passkey: Passkey?) -> Message {
        guard let passkey else { return rejection(of: call) }
        if call.member == "RequestPasskey" { return consent(to: call, [.uint32(passkey.value)]) }
        // Confirmed is only what the other side was said to show.
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
        Message(answering: call, with: DBusError("org.bluez.Error.Rejected", "nobody here is to pair with it"))
    }
}
