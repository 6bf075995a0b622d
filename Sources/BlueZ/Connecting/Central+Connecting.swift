internal import Bluetooth
internal import DBus
internal import EventLoop

/// Making and ending links.
extension Central {
    /// Makes the link to a peripheral that has been heard; one that is up already is used as it is.
    ///
    /// Errors that pass by themselves are tried again at once, a few times, within `limit`.
    ///
    /// Where the adapter has no connection left, it first waits for one, however long that takes; and for its turn, since
    /// connections are made one at a time.
    ///
    /// - Parameters:
    ///   - priority: how urgent it is, when others wait as well.
    ///   - limit: how long to try, not counting what others take.
    /// - Throws: `CentralError`: `notFound` when bluetoothd does not know it (any more): seek it again; `timeout` when an
    ///   earlier link, which is to end, does not.
    package func connect(
        _ peripheral: Peripheral, priority: ConnectionPriority = .background, within limit: Duration = .seconds(20)
    ) async throws(CentralError) {
        let address = peripheral.address
        let object = address.description
        guard state == .poweredOn else { throw CentralError(.unavailable, object, "connect: \(reason)") }
        if await peripheral.isConnected {
            guard chased.contains(address) else { return }
            try await cancelConnection(peripheral)
        }
        guard attempts[address] == nil else {
            throw CentralError(.inProgress, object, "connect: already connecting")
        }
        if let obstacle = obstacle(to: peripheral) {
            throw CentralError(.failed, object, "connect: \(obstacle)")
        }
        defer { attemptEnded(of: peripheral) }
        let attempt = try await attemptWithSlot(peripheral, priority)
        let links = attempt.links
        let linkCount = await peripheral.linkCount
        do {
            try await takeTurns(peripheral, attempt, limit)
            links.connected(address)
            await peripheral.linkHolds()
            await peripheral.routeHolds()
            if let adapter = await peripheral.adapterPath { ladders[adapter]?.succeeded(address) }
        } catch {
            if error.code == .connectionFailed { links.refused(address) }
            if error.code == .connectionFailed || error.code == .connectionTimeout { await peripheral.routeFailed() }
            if await !peripheral.isConnected { releaseSlot(of: address) }
            let error = await peripheral.judge(error, linksBefore: linkCount)
            await connectFailed(peripheral, error)
            throw error
        }
    }

    /// What keeps a peripheral from being connected though Bluetooth is on; nil: nothing.
    package func obstacle(to peripheral: Peripheral) -> String? {
        let (isBlocked, isBonded, path) = peripheral.assumeIsolated { ($0.isBlocked, $0.isBonded, $0.adapterPath) }
        // bluetoothd would make the link, and then look for no services (src/device.c).
        if isBlocked { return "it is blocked: bluetoothctl unblock \(peripheral.address)" }
        guard isBonded, let adapter = path.flatMap({ adapters[$0] }), !adapter.isPowered else { return nil }
        let remedy = adapter.obstacle ?? "off: bluetoothctl select \(adapter.address), then power on"
        return "its bond is with \(adapter.name) (\(adapter.address)), which is \(remedy)"
    }

    /// Waits for a slot of the adapter that suits the peripheral best, or of another one that has one sooner.
    private func attemptWithSlot(
        _ peripheral: Peripheral, _ priority: ConnectionPriority
    ) async throws(CentralError) -> ConnectionAttempt {
        let object = peripheral.address.description
        var hasWaited = false
        while true {
            guard let attempt = beginAttempt(peripheral) else {
                throw CentralError(.notFound, object, "connect: it has not been heard")
            }
            if await acquireSlot(of: attempt.links, for: peripheral, priority, &hasWaited) { return attempt }
            guard attempt.isMoved, !attempt.isGivenUp else {
                throw CentralError(.cancelled, object, "connect: given up")
            }
            release(peripheral)
        }
    }

    /// Chooses the adapter; nil: there is none that knows the peripheral.
    private func beginAttempt(_ peripheral: Peripheral) -> ConnectionAttempt? {
        let full = Set(links.filter(\.value.isFull).keys)
        let (adapter, isFleeting) = peripheral.assumeIsolated { peripheral in
            peripheral.holdRoute(avoiding: full)
            return (peripheral.adapterPath, peripheral.isFleeting)
        }
        let attempt = adapter.flatMap { links[$0] }.map { ConnectionAttempt($0, keepsScan: isFleeting) }
        attempts[peripheral.address] = attempt
        return attempt
    }

    private func attemptEnded(of peripheral: Peripheral) {
        release(peripheral)
        if attempts.removeValue(forKey: peripheral.address)?.keepsScan == true { scanSoon() }
        // A link that went down while the attempt was there has left the slot to it.
        if peripheral.assumeIsolated({ !$0.isConnected }) { releaseSlot(of: peripheral.address) }
    }

    private func release(_ peripheral: Peripheral) {
        peripheral.assumeIsolated { $0.releaseRoute() }
    }

    /// Ends the link, or the attempt to make it; returns when it is down.
    ///
    /// - Throws: `CentralError` `timeout` when bluetoothd does not get it down.
    package func cancelConnection(_ peripheral: Peripheral) async throws(CentralError) {
        let address = peripheral.address
        let attempt = attempts[address]
        attempt?.giveUp()
        attempt?.links.lane.endWait(of: address, isConnected: false)
        if let links = linksByPeripheral[address], links.isWaiting(address) { return releaseSlot(of: address) }
        guard let path = await peripheral.path, let connection else { return }
        // An attempt that was ended before may get its link after all. Told once more it does not, and what comes later
        // is somebody else's.
        let wasEnded = endedAttempts.removeValue(forKey: address) != nil
        if await !peripheral.isConnected && attempt?.isPending != true && !wasEnded { return }
        await disconnect(path, connection)
        // bluetoothd waits 2 s for other users of the link before it ends it (src/device.c, DISCONNECT_TIMER).
        if await peripheral.wait(for: endLimit, until: { !$0.isConnected }) { return }
        await free(peripheral, "its link does not end")
        if await peripheral.wait(for: .seconds(1), until: { !$0.isConnected }) { return }
        throw CentralError(.timeout, address.description, "disconnect: the link is still up; restart bluetoothd")
    }

    func disconnect(_ path: String, _ connection: Connection) async {
        do throws(DBusError) {
            let call = try Message(call: "Disconnect", on: BlueZName.device, at: path, of: BlueZName.service)
            _ = try await connection.call(call, timeout: endLimit)
        } catch {
            // Whether the link is down is what counts, and that is looked at afterwards.
        }
    }
}
