import DBus
import EventLoop

/// The pairing of a device, with the client's agent.
final class DevicePairing {
    private unowned let device: DeviceObject
    /// The pairing in progress; nil if there is none.
    private var attempt: PairingAttempt?

    init(of device: DeviceObject) {
        self.device = device
    }

    private var host: Host { device.host }
    private var adapter: AdapterObject { device.adapter }
    private var peripheral: Peripheral { device.peripheral }

    var isInProgress: Bool { attempt != nil }
    /// The client of the pairing in progress; nil if there is no pairing.
    var client: String? { attempt?.call.client }

    // MARK: Calls

    func pair(_ call: Call) throws(DBusError) {
        if attempt != nil { throw BlueZError.inProgress }
        if device.isBonded { throw BlueZError.alreadyExists }
        guard adapter.isPowered else { throw BlueZError.notReady }
        if device.link.isConnected {
            let attempt = PairingAttempt(
                call, isBesideDiscovery: !device.attributes.isResolved, isOverLink: host.fleet.version.pairsOverLink)
            self.attempt = attempt
            return start(attempt)
        }
        if device.link.isConnecting { throw device.link.pendingConnectError }
        let attempt = PairingAttempt(call)
        self.attempt = attempt
        device.becomePermanent()
        device.link.connect { [weak self] error in
            guard let self, self.attempt === attempt else { return }
            if error == nil && device.link.isConnected { return start(attempt) }
            end(attempt, with: error ?? BlueZError.authenticationFailed)
        }
    }

    func cancel(_ call: Call) throws(DBusError) {
        guard let attempt else { throw BlueZError.doesNotExist }
        end(attempt, with: BlueZError.authenticationCanceled)
        call.reply()
    }

    /// Cancels the pairing in progress when its connection ends.
    func cancel() {
        if let attempt { end(attempt, with: BlueZError.authenticationCanceled) }
    }

    /// Drops the pairing in progress without a reply.
    func close() {
        attempt = nil
    }

    // MARK: Exchange

    private func start(_ attempt: PairingAttempt) {
        host.loop.schedule(after: peripheral.model.pace.pair) { [weak self] in
            guard let self, self.attempt === attempt, device.link.isConnected else { return }
            if peripheral.faults.happens(.pairingHangs) { return }
            if peripheral.faults.happens(.linkLostWhilePairing) { return peripheral.drop() }
            // bluetoothd requires an agent for Just Works too.
            guard let agent = host.agents.agent(for: attempt.call.client) else {
                return end(attempt, with: BlueZError.authenticationFailed)
            }
            exchange(with: agent, for: attempt)
        }
    }

    private func exchange(with agent: Agents.Agent, for attempt: PairingAttempt) {
        let capability = attempt.isOverLink ? device.link.capability : agent.capability
        switch peripheral.model.pairing {
        case .justWorks: end(attempt, with: nil)
        case .passkeyEntry(let passkey) where capability.canEnter:
            ask(agent, "RequestPasskey", [], for: attempt) { $0.first?.integer == Int(passkey) }
        case .passkeyDisplay where capability.canDisplay:
            ask(agent, "DisplayPasskey", [.uint32(peripheral.randomPasskey()), .uint16(0)], for: attempt) { _ in true }
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
        attempt.ask(agent)
        host.ask(agent, method, [.objectPath(device.path)] + arguments) { [weak self] answer in
            guard let self, self.attempt === attempt else { return }
            attempt.agentAnswered()
            switch answer {
            case .success(let results):
                end(attempt, with: isRight(results) ? nil : BlueZError.authenticationFailed)
            case .failure: end(attempt, with: BlueZError.authenticationRejected)
            }
        }
    }

    private func end(_ attempt: PairingAttempt, with error: DBusError?) {
        self.attempt = nil
        if let agent = attempt.asked { host.cancelQuestion(of: agent) }
        if let error { return attempt.fail(error) }
        device.bonded(by: attempt.call.client)
        // BlueZ (5.66 to 5.82, device_browse_gatt) sends no reply if service discovery was already running.
        if !attempt.isBesideDiscovery || device.attributes.isResolved { attempt.succeed() }
    }
}
