import Bluetooth
import DBus
import EventLoop
import System

/// Creates bonds with peripherals, and answers bluetoothd's questions during pairings.
final class Bonds: LoopPart {
    let agent = PairingAgent()
    private let bluetoothd: Bluetoothd
    let loop: EventLoop
    /// Serializes pairings and changes of the agent: bluetoothd pairs with one peripheral at a time.
    private let lock = AsyncLock()
    /// The time at which the kernel has the agent's capability for certain.
    private var capabilityTime: Instant?

    /// The time that bluetoothd has to pass a new capability to the kernel.
    ///
    /// bluetoothd sends the capability after its pending commands, such as the start of a scan, and does not report
    /// when. A connection that is made earlier keeps the old capability (seen with 5.82 in an emulation).
    private static let capabilityDelay = Duration.seconds(1)

    init(_ bluetoothd: Bluetoothd, loop: EventLoop) {
        self.bluetoothd = bluetoothd
        self.loop = loop
    }

    // MARK: The agent

    /// Sets the answers for a peripheral that may request a bond at any time; nil: requests are no longer accepted.
    func expect(_ peripheral: Address, _ answers: PairingAnswers?) {
        agent.expect(peripheral, answers)
        settleSoon()
    }

    /// Accepts a bond with a peripheral while `body` runs; answers that were set before remain in effect.
    func expecting(
        _ peripheral: Address, _ answers: PairingAnswers, _ body: () async throws(CentralError) -> Void
    ) async throws(CentralError) {
        let isExpected = agent.isExpected(peripheral)
        if !isExpected { agent.expect(peripheral, answers) }
        defer {
            if !isExpected { agent.expect(peripheral, nil) }
            settleSoon()
        }
        try await body()
    }

    /// Registers the agent before a peripheral is connected: the kernel stores the agent's capability with the
    /// connection.
    ///
    /// During a pairing, the registration is not changed.
    func prepareConnection(of peripheral: Peripheral) async {
        if !agent.isPairing { await settle() }
        if let capabilityTime, capabilityTime > loop.now { await loop.sleep(for: capabilityTime - loop.now) }
        await peripheral.connectionBegins(with: agent.capability)
    }

    func settleSoon() {
        spawn { await $0.settle() }
    }

    private func settle() async {
        guard let connection = bluetoothd.connection, bluetoothd.isPresent else { return }
        await lock.lock()
        defer { lock.unlock() }
        let earlier = agent.capability
        defer { if agent.capability != earlier { capabilityTime = loop.now + Self.capabilityDelay } }
        do throws(DBusError) {
            try await agent.settle(connection)
        } catch {
            // Either bluetoothd is gone, and the agent is registered when bluetoothd returns, or the next pairing
            // reports the error.
        }
    }

    /// Handles a call from the bus, which may be a question of bluetoothd.
    ///
    /// - Parameters:
    ///   - call: The call.
    ///   - address: Returns the address of the peripheral with an object path; nil: there is no such peripheral.
    ///   - later: Called with the call and the answer, if the answer is not available at once.
    /// - Returns: Whether the call is addressed to the agent.
    func handle(
        _ call: Message, address: (String) -> Address?, later: @escaping @Sendable (Message, Passkey?) -> Void
    ) -> Bool {
        guard let connection = bluetoothd.connection else { return false }
        return agent.handle(
            call, address: address,
            send: { message in
                connection.assumeIsolated { $0.send(message) }
            }, later: later)
    }

    /// Sends the reply to a question of bluetoothd, unless bluetoothd no longer waits for the reply.
    func answer(_ call: Message, with passkey: Passkey?) {
        guard let connection = bluetoothd.connection, let reply = agent.replyIfOpen(to: call, with: passkey) else {
            return
        }
        connection.assumeIsolated { $0.send(reply) }
    }

    // MARK: Pairing

    /// Pairs with a peripheral that is connected, unless there is a bond already.
    ///
    /// - Returns: Whether a question was asked during the pairing; true if there was a bond already.
    func pair(
        _ peripheral: Peripheral, with answers: PairingAnswers, within limit: Duration
    ) async throws(CentralError) -> Bool {
        let address = peripheral.address
        if await peripheral.isBonded { return true }
        await lock.lock()
        defer { lock.unlock() }
        // bluetoothd may have made the bond by itself.
        if await peripheral.isBonded { return true }
        guard let path = await peripheral.path, let device = bluetoothd.deviceObject(at: path) else {
            throw CentralError(.notFound, address.description, "pair: bluetoothd no longer lists the peripheral")
        }
        agent.beginPairing(with: address, answers)
        defer { agent.endPairing(with: address) }
        do throws(DBusError) {
            try await agent.register(for: answers, device.connection)
        } catch {
            throw CentralError(error, address.description, doing: "pair")
        }
        try await bond(peripheral, device, within: limit)
        return agent.wasAsked(about: address)
    }

    /// A call of Pair; the task of the call sets the outcome on the loop.
    private final class PairingCall: @unchecked Sendable {
        /// The outcome of the call; nil: there is no reply.
        var outcome: Result<Void, DBusError>?
    }

    /// Calls Pair and waits for the bond.
    ///
    /// bluetoothd replies only after it has also discovered the services, and never replies if a discovery is already
    /// under way (5.66 to 5.82, src/device.c, device_browse_gatt). Therefore the bond ends the wait, even without a
    /// reply.
    private func bond(
        _ peripheral: Peripheral, _ device: RemoteObject, within limit: Duration
    ) async throws(CentralError) {
        let call = PairingCall()
        peripheral.spawn { peripheral in
            call.outcome = await Self.callPair(device, within: limit)
            peripheral.checkConditions()
        }
        _ = await peripheral.wait(for: limit) { $0.isBonded || call.outcome != nil }
        if await peripheral.isBonded { return }
        switch call.outcome {
        case .success: return
        case .failure(let error):
            if error.name == BlueZError.authenticationCanceled, await Self.hasLostConnection(peripheral) {
                throw CentralError(
                    .peripheralDisconnected, peripheral.address.description,
                    "pair: the connection was lost: try again from a shorter distance")
            }
            throw CentralError(error, peripheral.address.description, doing: "pair")
        case nil:
            await cancelPairing(device)
            throw CentralError(
                .timeout, peripheral.address.description, "pair: not completed within \(limit.components.seconds) s")
        }
    }

    /// Returns whether the connection has ended, which bluetoothd reports after it has cancelled the pairing.
    private static func hasLostConnection(_ peripheral: Peripheral) async -> Bool {
        await peripheral.wait(for: .seconds(1)) { !$0.isConnected }
    }

    private static func callPair(_ device: RemoteObject, within limit: Duration) async -> Result<Void, DBusError>? {
        do throws(DBusError) {
            try await device.call("Pair", timeout: limit)
            return .success(())
        } catch {
            switch error.name {
            case DBusError.noReply: return nil
            // Another program has made the bond.
            case BlueZError.alreadyExists: return .success(())
            default: return .failure(error)
            }
        }
    }

    private func cancelPairing(_ device: RemoteObject) async {
        do throws(DBusError) {
            try await device.call("CancelPairing", timeout: .seconds(5))
        } catch {
            // The pairing is over already.
        }
    }

    /// Returns whether pairing with these answers requires a new connection.
    ///
    /// bluetoothd 5.82 pairs over the existing connection. For this connection, Linux keeps the agent's capability from
    /// the time of the connect (5.66 sets the capability for each pairing). Linux does not ask questions beyond that
    /// capability: the bond is made without them (Just Works), or the pairing fails.
    func needsNewConnection(_ peripheral: Peripheral, toPairWith answers: PairingAnswers) async -> Bool {
        guard await peripheral.isConnected, await !peripheral.isBonded else { return false }
        let capability = await peripheral.agentCapability ?? .nothing
        return !capability.includes(AgentCapability([answers]))
    }
}
