import DBus
import EventLoop

/// Making and ending links.
extension DeviceObject: Link {
    func connect(_ call: Call) throws(DBusError) {
        if pairing != nil && host.fleet.version.namesConnectInProgress { throw BlueZError.inProgress }
        if isConnected { return call.reply() }
        becomePermanent()
        guard adapter.isPowered else { throw BlueZError.failed("Input/output error") }
        if preferredBearer != "le", peripheral.faults.happens(.classicFirst) { throw BlueZError.profileUnavailable }
        if attempt != nil || peripheral.faults.happens(.connectInProgress) { throw pendingConnectError }
        connect { error in
            if let error { call.fail(error) } else { call.reply() }
        }
    }

    /// What a call gets that asks for a link while one is being made.
    var pendingConnectError: DBusError {
        host.fleet.version.namesConnectInProgress
            ? BlueZError.inProgress : BlueZError.linkInProgress
    }

    /// Waits for the peripheral, and links with it; `answer` gets the error if there is one.
    func connect(_ answer: @escaping (DBusError?) -> Void) {
        let attempt = ConnectionAttempt { [weak self] error in
            self?.attempt = nil
            answer(error)
        }
        self.attempt = attempt
        let isHanging = peripheral.faults.happens(.connectHangs)
        if !isHanging {
            attempt.timers.append(
                host.loop.schedule(after: peripheral.model.pace.connectTimeout) { [weak attempt] in
                    attempt?.finish(BlueZError.connectionAborted)
                })
        }
        peripheral.whenAvailable(for: attempt) { [weak self, weak attempt] in
            guard let self, let attempt, self.attempt === attempt, isCurrent else { return }
            adapter.initiator.enter(attempt) { [weak self] in
                if !isHanging { self?.reach() }
            }
        }
    }

    /// Whether the peripheral answers to the address: nobody does to a private one that it has given up.
    private var isCurrent: Bool { address == peripheral.address || address == peripheral.model.identity }

    /// Asks the peripheral for the link.
    private func reach() {
        guard let attempt else { return }
        attempt.timers.append(
            host.loop.schedule(after: peripheral.model.pace.connect) { [weak self] in self?.reached() })
    }

    /// The peripheral has answered.
    private func reached() {
        guard let attempt else { return }
        if peripheral.faults.happens(.vanishesWhileConnecting) { return adapter.remove(self) }
        if let error = peripheral.takeConnectError() { return attempt.finish(error) }
        if peripheral.faults.happens(.connectWithoutLink) { return attempt.finish() }
        if adapter.isFull || !peripheral.accepts { return attempt.finish(BlueZError.connectionAborted) }
        isConnected = true
        linkCapability = host.agents.adapterCapability
        changed("Connected")
        // The link is encrypted at once with the keys of the bond; without them on the other side it ends.
        let isBondLost = isBonded && !isSecure
        if isBondLost || peripheral.faults.happens(.connectAborts) {
            tree.flush()
            isConnected = false
            changed("Connected")
            return attempt.finish(BlueZError.connectionAborted)
        }
        peripheral.connected(self)
        attempt.finish()
        startResolving()
    }

    // MARK: The end

    /// Ends the link or the attempt; `done` is called when that is over.
    func disconnect(_ done: @escaping () -> Void) {
        cancelPairing()
        if let attempt {
            attempt.finish(BlueZError.connectionCanceled)
            if host.fleet.version.forgetsCancelledConnects && services.isEmpty { becomeTemporary() }
            return done()
        }
        guard isConnected else { return done() }
        if peripheral.faults.happens(.disconnectHangs) { return }
        disconnects.append(done)
        guard disconnects.count == 1 else { return }
        hideBattery()
        disconnecting = host.loop.schedule(after: peripheral.model.pace.disconnect) { [weak self] in
            guard let self else { return }
            peripheral.disconnected()
            linkEnded(because: .local)
        }
    }

    /// The link ends without the time that Disconnect takes, as soon as the kernel says so.
    func disconnectAtOnce() {
        host.loop.schedule(after: .zero) { [weak self] in
            guard let self, isConnected else { return }
            peripheral.disconnected()
            linkEnded(because: .local)
            hideBattery()
        }
    }

    /// The peripheral has ended the link.
    func lost() {
        linkEnded(because: .remote)
        hideBattery()
    }

    func powerLost() {
        // BlueZ (5.66 to now) takes the aborted attempt for a success: att_connect_cb.
        attempt?.finish()
        guard isConnected else { return }
        peripheral.disconnected()
        lost()
    }

    /// Why a link has gone, in the words of the signal `Disconnected`.
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

    private func linkEnded(because reason: EndReason) {
        guard isConnected else { return }
        disconnecting?.cancel()
        resolving?.cancel()
        cancelPairing()
        failRequests()
        for characteristic in characteristics { characteristic.linkLost() }
        if isResolved {
            isResolved = false
            changed("ServicesResolved")
        }
        lastHeard = host.loop.now
        let waiting = disconnects
        disconnects = []
        isConnected = false
        if host.fleet.version.endsLinksAtOnce { changed("Connected") }
        for done in waiting { done() }
        // The answer went out first in BlueZ 5.66, device_remove_connection.
        if !host.fleet.version.endsLinksAtOnce { changed("Connected") }
        if host.fleet.version.describesDisconnections { describeEnd(reason) }
        if isLeaving { adapter.forget(self) }
    }

    private func describeEnd(_ reason: EndReason) {
        // A signal of BlueZ's goes out after all that is pending (gdbus/object.c, g_dbus_send_message).
        tree.flush()
        tree.emit(
            "Disconnected", on: Self.device.name, at: path, [.string(reason.rawValue), .string(reason.text)])
    }
}
