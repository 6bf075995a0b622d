import DBus
import EventLoop
import System

/// The connection of a device: Connect, Disconnect and the events of the peripheral.
final class DeviceLink: Link {
    private unowned let device: DeviceObject
    private(set) var isConnected = false
    /// The capability of the default agent when the connection was made.
    private(set) var capability = Agents.Capability.noInputNoOutput
    /// The connection attempt in progress; nil if there is none.
    private var attempt: ConnectionAttempt?
    /// The callbacks for the end of the connection; not empty during a disconnection that the gateway has requested.
    private var disconnects: [() -> Void] = []
    private var disconnecting: Timer?

    init(of device: DeviceObject) {
        self.device = device
    }

    private var host: Host { device.host }
    private var adapter: AdapterObject { device.adapter }
    private var peripheral: Peripheral { device.peripheral }
    var adapterModel: SimulatedFleet.Adapter { adapter.model }

    var isConnecting: Bool { attempt != nil }
    var isDisconnecting: Bool { !disconnects.isEmpty }

    // MARK: Connecting

    func connect(_ call: Call) throws(DBusError) {
        if device.pairing.isInProgress && host.fleet.version.namesConnectInProgress { throw BlueZError.inProgress }
        if isConnected { return call.reply() }
        device.becomePermanent()
        guard adapter.isPowered else { throw BlueZError.failed("Input/output error") }
        if device.options.preferredBearer != "le", peripheral.faults.happens(.classicFirst) {
            throw BlueZError.profileUnavailable
        }
        if attempt != nil || peripheral.faults.happens(.connectInProgress) { throw pendingConnectError }
        connect { error in
            if let error { call.fail(error) } else { call.reply() }
        }
    }

    /// The error of a call that needs a connection while a connection attempt is in progress.
    var pendingConnectError: DBusError {
        host.fleet.version.namesConnectInProgress
            ? BlueZError.inProgress : BlueZError.linkInProgress
    }

    /// Waits until the peripheral advertises, and connects to it.
    ///
    /// - Parameter answer: Called once with the error, or with nil after success.
    func connect(_ answer: @escaping (DBusError?) -> Void) {
        let attempt = ConnectionAttempt { [weak self] error in
            self?.attempt = nil
            answer(error)
        }
        self.attempt = attempt
        let isHanging = peripheral.faults.happens(.connectHangs)
        if !isHanging {
            attempt.add(
                host.loop.schedule(after: peripheral.model.pace.connectTimeout) { [weak attempt] in
                    attempt?.finish(BlueZError.connectionAborted)
                })
        }
        peripheral.whenAvailable(for: attempt, of: adapterModel) { [weak self, weak attempt] in
            guard let self, let attempt, self.attempt === attempt, isAddressCurrent else { return }
            adapter.initiator.enter(attempt) { [weak self] in
                if !isHanging { self?.sendRequest() }
            }
        }
    }

    /// Whether the address of the device is valid: a peripheral accepts no connection to an earlier private address.
    private var isAddressCurrent: Bool {
        device.address == peripheral.address || device.address == peripheral.model.identity
    }

    /// Sends the connection request to the peripheral.
    private func sendRequest() {
        guard let attempt else { return }
        attempt.add(host.loop.schedule(after: peripheral.model.pace.connect) { [weak self] in self?.answered() })
    }

    /// Handles the peripheral's answer to the connection request.
    private func answered() {
        guard let attempt else { return }
        if peripheral.faults.happens(.vanishesWhileConnecting) { return adapter.remove(device) }
        if let error = peripheral.takeConnectError() { return attempt.finish(error) }
        if peripheral.faults.happens(.connectWithoutLink) { return attempt.finish() }
        if adapter.isFull || !peripheral.accepts(adapterModel) { return attempt.finish(BlueZError.connectionAborted) }
        isConnected = true
        capability = host.agents.adapterCapability
        device.changed("Connected")
        // The link is encrypted immediately with the keys of the bond; if the peripheral has no keys, the link ends.
        let isBondLost = device.isBonded && !device.isSecure
        if isBondLost || peripheral.faults.happens(.connectAborts) {
            device.tree.flush()
            isConnected = false
            device.changed("Connected")
            return attempt.finish(BlueZError.connectionAborted)
        }
        peripheral.connected(self)
        attempt.finish()
        device.attributes.startResolving()
    }

    // MARK: Disconnecting

    /// Ends the connection or the connection attempt.
    ///
    /// - Parameter done: Called after the end; never called with the fault "disconnect hangs".
    func disconnect(_ done: @escaping () -> Void) {
        device.pairing.cancel()
        if let attempt {
            attempt.finish(BlueZError.connectionCanceled)
            if host.fleet.version.forgetsCancelledConnects && device.attributes.isEmpty { device.becomeTemporary() }
            return done()
        }
        guard isConnected else { return done() }
        if peripheral.faults.happens(.disconnectHangs) { return }
        disconnects.append(done)
        guard disconnects.count == 1 else { return }
        device.attributes.hideBattery()
        disconnecting = host.loop.schedule(after: peripheral.model.pace.disconnect) { [weak self] in
            guard let self else { return }
            peripheral.disconnected()
            ended(because: .local)
        }
    }

    /// Ends the connection without the delay of Disconnect, in the next turn of the loop.
    func disconnectAtOnce() {
        host.loop.schedule(after: .zero) { [weak self] in
            guard let self, isConnected else { return }
            let device = device
            peripheral.disconnected()
            ended(because: .local)
            device.attributes.hideBattery()
        }
    }

    /// Ends the attempt and the connection after the adapter was switched off.
    func powerLost() {
        // BlueZ (since 5.66, att_connect_cb) reports success for the cancelled attempt.
        attempt?.finish()
        guard isConnected else { return }
        peripheral.disconnected()
        lost()
    }

    /// Ends the connection without signals and replies before the device is removed.
    func close() {
        attempt?.cancel()
        attempt = nil
        disconnecting?.cancel()
        if isConnected { peripheral.disconnected() }
        isConnected = false
    }

    /// The reason of a disconnection in the signal `Disconnected`.
    private enum EndReason: String {
        case local = "org.bluez.Reason.Local"
        case remote = "org.bluez.Reason.Remote"

        var text: String {
            switch self {
            case .local: "Connection terminated by local host"
            case .remote: "Connection terminated by remote user"
            }
        }
    }

    private func ended(because reason: EndReason) {
        guard isConnected else { return }
        let device = device
        disconnecting?.cancel()
        device.attributes.stopResolving()
        device.pairing.cancel()
        device.requests.failAll()
        device.attributes.linkLost()
        if host.fleet.version.endsServicesFirst { device.tree.flush() }
        device.seen()
        let isReasonFirst = peripheral.faults.happens(.reasonFirst)
        if isReasonFirst { signalEnd(reason) }
        let waiting = disconnects
        disconnects = []
        isConnected = false
        if host.fleet.version.endsLinksAtOnce { device.changed("Connected") }
        for done in waiting { done() }
        // BlueZ 5.66 (device_remove_connection) sends the reply first.
        if !host.fleet.version.endsLinksAtOnce { device.changed("Connected") }
        if !isReasonFirst { signalEnd(reason) }
        if device.isLeaving { adapter.forget(device) }
    }

    private func signalEnd(_ reason: EndReason) {
        guard host.fleet.version.describesDisconnections else { return }
        // BlueZ sends a signal after all pending changes (gdbus/object.c, g_dbus_send_message).
        device.tree.flush()
        device.tree.emit(
            "Disconnected", on: DeviceObject.device.name, at: device.path,
            [.string(reason.rawValue), .string(reason.text)])
    }

    // MARK: Events of the peripheral

    func lost() {
        // A device that is being removed would otherwise be deallocated in `ended`.
        let device = device
        ended(because: .remote)
        device.attributes.hideBattery()
    }

    func attributesChanged() {
        device.attributes.changed()
    }

    func notified(_ value: [UInt8], of characteristic: PeripheralCharacteristic) {
        device.attributes.notified(value, of: characteristic)
    }

    var isBusy: Bool { !device.requests.isEmpty }

    func isAcquired(_ characteristic: PeripheralCharacteristic) -> Bool {
        device.attributes.object(of: characteristic)?.sockets.hasNotifySocket ?? false
    }
}
