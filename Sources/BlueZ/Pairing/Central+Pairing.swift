internal import Bluetooth
internal import DBus
internal import EventLoop

/// Bonds.
extension Central {
    /// Pairs with a peripheral that has been heard, and connects to it first; the link stays up.
    ///
    /// One that is bonded with already is left as it is.
    ///
    /// - Parameters:
    ///   - answers: how questions are answered that come up meanwhile.
    ///   - limit: how long it may take, once it is this peripheral's turn.
    /// - Throws: `CentralError`: `pairingFailed` when one of the sides does not want to, or gave the wrong passkey;
    ///   `timeout`; whatever keeps it from being connected.
    package func pair(
        _ peripheral: Peripheral, with answers: PairingAnswers = PairingAnswers(), within limit: Duration = .seconds(60)
    ) async throws(CentralError) {
        let address = peripheral.address
        let isExpected = agent.expected[address] != nil
        if !isExpected { agent.expected[address] = answers }
        defer {
            if !isExpected { agent.expected[address] = nil }
            settleAgentSoon()
        }
        try await connect(peripheral, priority: .command)
        if await peripheral.isBonded { return }
        await agent.turn.enter()
        defer { agent.turn.leave() }
        // bluetoothd may have made the bond on its own account.
        if await peripheral.isBonded { return }
        guard let connection, let path = await peripheral.path else {
            throw CentralError(.notFound, address.description, "pair: it has gone from bluetoothd's list")
        }
        agent.pairings[address] = answers
        defer { agent.endPairing(of: address) }
        do throws(DBusError) {
            try await agent.register(for: answers, connection)
        } catch {
            throw CentralError(error, address.description, doing: "pair")
        }
        try await bond(peripheral, path, connection, limit)
    }

    /// Calls Pair and waits for the bond.
    ///
    /// bluetoothd answers when it has discovered the services as well, and never does when that is under way already (5.66
    /// to 5.82, src/device.c, device_browse_gatt): it is the bond that counts.
    private func bond(
        _ peripheral: Peripheral, _ path: String, _ connection: Connection, _ limit: Duration
    ) async throws(CentralError) {
        let attempt = PairingAttempt()
        Task(executorPreference: loop.tasks) {
            attempt.outcome = await self.callPair(path, connection, within: limit)
            await peripheral.settle()
        }
        _ = await peripheral.wait(for: limit) { $0.isBonded || attempt.outcome != nil }
        if await peripheral.isBonded { return }
        switch attempt.outcome {
        case .success: return
        case .failure(let error):
            throw CentralError(error, peripheral.address.description, doing: "pair")
        case nil:
            await cancelPairing(path, connection)
            throw CentralError(.timeout, peripheral.address.description, "pair: it was not completed in time")
        }
    }

    private func callPair(
        _ path: String, _ connection: Connection, within limit: Duration
    ) async -> Result<Void, DBusError>? {
        do throws(DBusError) {
            try await callDevice("Pair", path, connection, within: limit)
            return .success(())
        } catch {
            switch error.name {
            case DBusError.noReply: return nil
            // Somebody else was faster.
            case "org.bluez.Error.AlreadyExists": return .success(())
            default: return .failure(error)
            }
        }
    }

    /// Whether a pairing with these answers wants another link than the one that there is.
    ///
    /// bluetoothd 5.82 pairs over the link, for which Linux keeps what the agent could do when it was made (5.66 says it
    /// anew): what cannot be asked there is not asked, and the bond is made without (Just Works) or not at all.
    package func needsNewLink(_ peripheral: Peripheral, toPairWith answers: PairingAnswers) async -> Bool {
        guard await peripheral.isConnected, await !peripheral.isBonded else { return false }
        let capability = await peripheral.linkCapability ?? .nothing
        return !capability.includes(AgentCapability([answers]))
    }

    /// Makes bluetoothd forget the bond with a peripheral, and all else that it knows of it; a link is ended.
    ///
    /// - Throws: `CentralError`: `notFound` when there is no bond; `timeout` when the link does not get down.
    package func unpair(_ peripheral: Peripheral) async throws(CentralError) {
        let object = peripheral.address.description
        guard state == .poweredOn else { throw CentralError(.unavailable, object, "unpair: \(reason)") }
        // It need not have been heard: bluetoothd lists those that it is bonded with.
        if await peripheral.path == nil { await retrieve() }
        let routes = await peripheral.routes.all.filter(\.isBonded)
        guard !routes.isEmpty else { throw CentralError(.notFound, object, "unpair: there is no bond with it") }
        try await cancelConnection(peripheral)
        await peripheral.bondEnds()
        for route in routes { try await remove(peripheral, by: route, doing: "unpair") }
    }

    /// Answers for a peripheral from now on, whenever it asks for a bond or bluetoothd makes one on its own account (for
    /// a value that wants one); nil: no longer.
    package func expectBond(with peripheral: Peripheral, _ answers: PairingAnswers?) {
        agent.expected[peripheral.address] = answers
        settleAgentSoon()
    }

    private func cancelPairing(_ path: String, _ connection: Connection) async {
        do throws(DBusError) {
            try await callDevice("CancelPairing", path, connection, within: .seconds(5))
        } catch {
            // It is over already.
        }
    }

    private func callDevice(
        _ member: String, _ path: String, _ connection: Connection, within limit: Duration
    ) async throws(DBusError) {
        let call = try Message(call: member, on: BlueZName.device, at: path, of: BlueZName.service)
        _ = try await connection.call(call, timeout: limit)
    }

    // MARK: The agent

    /// What the agent can do is part of a link from its beginning: it is there first, unless it is busy with somebody.
    func prepareAgent(for peripheral: Peripheral) async {
        if agent.pairings.isEmpty { await settleAgent() }
        await peripheral.linkBegins(with: agent.capability)
    }

    func settleAgentSoon() {
        Task(executorPreference: loop.tasks) { await self.settleAgent() }
    }

    private func settleAgent() async {
        guard let connection, isServicePresent else { return }
        await agent.turn.enter()
        defer { agent.turn.leave() }
        do throws(DBusError) {
            try await agent.settle(connection)
        } catch {
            // bluetoothd has gone, and is told when it comes back; or the next pairing shows what is the matter.
        }
    }

    /// Something on the bus calls us: bluetoothd has a question.
    func called(_ call: Message) -> Bool {
        guard let connection else { return false }
        return agent.handle(call) { path in
            peripheralsByPath[path]?.address
        } send: { message in
            connection.assumeIsolated { $0.send(message) }
        } later: { [weak self] call, passkey in
            self?.assumeIsolated { $0.answer(call, with: passkey) }
        }
    }

    private func answer(_ call: Message, with passkey: Passkey?) {
        guard let connection, let reply = agent.replyIfOpen(to: call, with: passkey) else { return }
        connection.assumeIsolated { $0.send(reply) }
    }
}
