import DBus
import EventLoop

/// Bonding, with the help of the client's agent.
extension DeviceObject {
    func pair(_ call: Call) throws(DBusError) {
        if pairing != nil { throw BlueZError.inProgress }
        if isBonded { throw BlueZError.alreadyExists }
        guard adapter.isPowered else { throw BlueZError.notReady }
        let attempt = PairingAttempt(call)
        pairing = attempt
        if isConnected {
            attempt.isBesideDiscovery = !isResolved
            attempt.isOverLink = host.fleet.version.pairsOverLink
            return startPairing(attempt)
        }
        if self.attempt != nil {
            pairing = nil
            throw pendingConnectError
        }
        becomePermanent()
        connect { [weak self] error in
            guard let self, pairing === attempt else { return }
            if error == nil && isConnected { return startPairing(attempt) }
            end(attempt, with: error ?? BlueZError.authenticationFailed)
        }
    }

    func cancelPairing(_ call: Call) throws(DBusError) {
        guard let pairing else { throw BlueZError.doesNotExist }
        end(pairing, with: BlueZError.authenticationCanceled)
        call.reply()
    }

    private func startPairing(_ attempt: PairingAttempt) {
        host.loop.schedule(after: peripheral.model.pace.pair) { [weak self] in
            guard let self, pairing === attempt, isConnected else { return }
            if peripheral.faults.happens(.pairingHangs) { return }
            // Even what needs no question needs an agent.
            guard let agent = host.agents.agent(for: attempt.call.client) else {
                return end(attempt, with: BlueZError.authenticationFailed)
            }
            exchange(with: agent, for: attempt)
        }
    }

    private func exchange(with agent: Agents.Agent, for attempt: PairingAttempt) {
        let capability = attempt.isOverLink ? linkCapability : agent.capability
        switch peripheral.model.pairing {
        case .justWorks: end(attempt, with: nil)
        case .passkeyEntry(let passkey) where capability.canEnter:
            ask(agent, "RequestPasskey", [], for: attempt) { $0.first?.integer == Int(passkey) }
        case .passkeyDisplay where capability.canDisplay:
            let passkey = UInt32.random(in: 0...999_999, using: &peripheral.generator)
            ask(agent, "DisplayPasskey", [.uint32(passkey), .uint16(0)], for: attempt) { _ in true }
        case .numericComparison(let number) where capability.canCompare:
            ask(agent, "RequestConfirmation", [.uint32(number)], for: attempt) { _ in true }
        case .passkeyEntry, .passkeyDisplay, .numericComparison, .refused:
            end(attempt, with: BlueZError.authenticationFailed)
        }
    }

    private func ask(
        _ agent: Agents.Agent, _ method: String, _ arguments: [Variant], for attempt: PairingAttempt,
        isRight: @escaping ([Variant]) -> Bool
    ) {
        attempt.asked = agent
        host.ask(agent, method, [.objectPath(path)] + arguments) { [weak self] answer in
            guard let self, pairing === attempt else { return }
            attempt.asked = nil
            switch answer {
            case .success(let results):
                end(attempt, with: isRight(results) ? nil : BlueZError.authenticationFailed)
            case .failure: end(attempt, with: BlueZError.authenticationRejected)
            }
        }
    }

    /// Breaks off a pairing whose link goes or whose client has gone.
    func cancelPairing() {
        if let pairing { end(pairing, with: BlueZError.authenticationCanceled) }
    }

    private func end(_ attempt: PairingAttempt, with error: DBusError?) {
        pairing = nil
        if let agent = attempt.asked { host.cancelQuestion(of: agent) }
        if let error { return attempt.fail(error) }
        if let identity = peripheral.model.identity, identity != address { adapter.rename(self, to: identity) }
        isBonded = true
        peripheral.bonds.insert(adapter.model.address)
        becomePermanent()
        keep()
        peripheral.record(.paired, by: attempt.call.client)
        changed("Paired")
        changed("Bonded")
        // BlueZ (5.66 to 5.82, device_browse_gatt) forgets to answer where it discovers the services already.
        if !attempt.isBesideDiscovery || isResolved { attempt.succeed() }
    }
}
