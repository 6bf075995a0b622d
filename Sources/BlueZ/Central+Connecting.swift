internal import Bluetooth
internal import DBus
internal import EventLoop

extension Central {
    /// Makes the link to a peripheral that has been heard; one that is up already is used as it is.
    ///
    /// Errors that pass by themselves are tried again at once, a few times, within `limit`.
    ///
    /// Where the adapter has no connection left, it first waits for one, however long that takes.
    ///
    /// - Parameters:
    ///   - priority: how urgent it is, when others wait as well.
    ///   - limit: how long to try, once it is this peripheral's turn.
    /// - Throws: `CentralError`: `notFound` when bluetoothd does not know it (any more): seek it again.
    package func connect(
        _ peripheral: Peripheral, priority: ConnectionPriority = .background, within limit: Duration = .seconds(20)
    ) async throws(CentralError) {
        let address = peripheral.address
        let object = address.description
        guard state == .poweredOn else { throw CentralError(.unavailable, object, "connect: \(reason)") }
        if await peripheral.isConnected { return }
        guard let adapter = await peripheral.adapterPath, let links = links[adapter] else {
            throw CentralError(.notFound, object, "connect: it has not been heard")
        }
        guard connecting.insert(address).inserted else {
            throw CentralError(.inProgress, object, "connect: already connecting")
        }
        defer {
            connecting.remove(address)
            if let entry = tickets.removeValue(forKey: address) { entry.lane.leave(entry.ticket) }
        }
        guard await acquireSlot(of: links, for: peripheral, priority) else {
            throw CentralError(.cancelled, object, "connect: given up")
        }
        let linkCount = await peripheral.linkCount
        do {
            try await takeTurn(peripheral, links, limit)
            links.connected(address)
            await peripheral.linkHolds()
            // It may have gone down again already.
            if await !peripheral.isConnected { releaseSlot(of: address) }
        } catch {
            if error.code == .connectionFailed { links.refused(address) }
            if await !peripheral.isConnected { releaseSlot(of: address) }
            throw await peripheral.judge(error, linksBefore: linkCount)
        }
    }

    /// Connects when those before have had their turn.
    private func takeTurn(
        _ peripheral: Peripheral, _ links: AdapterLinks, _ limit: Duration
    ) async throws(CentralError) {
        let address = peripheral.address
        let isSlow = await peripheral.isSlow
        let hasTurn = await links.lane.enter(isSlow: isSlow) { tickets[address] = (links.lane, $0) }
        guard hasTurn else { throw CentralError(.cancelled, address.description, "connect: given up") }
        do {
            try await burst(peripheral, until: loop.now + limit)
            await peripheral.setSlow(false)
        } catch {
            if error.code == .connectionTimeout { await peripheral.setSlow(true) }
            throw error
        }
    }

    /// Ends the link, or the attempt to make it; returns when it is down.
    ///
    /// - Throws: `CentralError` `timeout` when bluetoothd does not get it down.
    package func cancelConnection(_ peripheral: Peripheral) async throws(CentralError) {
        if let entry = tickets.removeValue(forKey: peripheral.address) { entry.lane.leave(entry.ticket) }
        if let links = linksByPeripheral[peripheral.address], links.isWaiting(peripheral.address) {
            return releaseSlot(of: peripheral.address)
        }
        let isConnecting = connecting.contains(peripheral.address)
        guard let path = await peripheral.path, let connection else { return }
        if await !peripheral.isConnected && !isConnecting { return }
        await disconnect(path, connection)
        // bluetoothd waits 2 s for other users of the link before it ends it (src/device.c, DISCONNECT_TIMER).
        guard await peripheral.wait(for: .seconds(10), until: { !$0.isConnected }) else {
            throw CentralError(
                .timeout, peripheral.address.description, "disconnect: the link is still up; restart bluetoothd")
        }
    }

    private static let burstAttempts = 4

    /// A few quick attempts: what bluetoothd calls `le-connection-abort-by-local` is mostly gone the next time.
    private func burst(_ peripheral: Peripheral, until deadline: Instant) async throws(CentralError) {
        var attempt = 1
        while true {
            do {
                return try await attemptConnect(peripheral, until: deadline)
            } catch {
                let isTransient = error.code == .connectionFailed || error.code == .inProgress
                let pause = Duration.milliseconds(250)
                guard isTransient, attempt < Self.burstAttempts, loop.now + pause < deadline,
                    tickets[peripheral.address] != nil
                else { throw error }
                attempt += 1
                await loop.sleep(for: pause)
            }
        }
    }

    private func attemptConnect(_ peripheral: Peripheral, until deadline: Instant) async throws(CentralError) {
        let object = peripheral.address.description
        guard let connection, let path = await peripheral.path else {
            throw CentralError(.notFound, object, "connect: it has gone from bluetoothd's list")
        }
        guard await !peripheral.isBlocked else {
            throw CentralError(.failed, object, "connect: it is blocked: bluetoothctl unblock \(object)")
        }
        do throws(DBusError) {
            let call = try Message(call: "Connect", on: BlueZName.device, at: path, of: BlueZName.service)
            _ = try await connection.call(call, timeout: max(deadline - loop.now, .milliseconds(1)))
        } catch {
            guard error.name == DBusError.noReply else { throw CentralError(error, object, doing: "connect") }
            // bluetoothd goes on trying for whoever asked, until it is told to stop.
            await disconnect(path, connection)
            _ = await peripheral.wait(for: .seconds(5)) { !$0.isConnected }
            throw CentralError(.connectionTimeout, object, "connect: it did not answer in time")
        }
        // Where ATT is up before the kernel has reported the link, 5.66 never signals Connected: hence the question.
        if await !peripheral.isConnected { await refresh(peripheral, path, connection) }
        // An attempt that was aborted may be reported as a success (BlueZ 5.66 and later, src/device.c att_connect_cb).
        guard await peripheral.wait(for: .milliseconds(500), until: { $0.isConnected }) else {
            throw CentralError(.connectionFailed, object, "connect: bluetoothd reported success, but the link is down")
        }
    }

    /// Asks bluetoothd for what it knows of a peripheral now.
    private func refresh(_ peripheral: Peripheral, _ path: String, _ connection: Connection) async {
        do throws(DBusError) {
            let call = try Message(
                call: "GetAll", on: BlueZName.properties, at: path, of: BlueZName.service, [.string(BlueZName.device)])
            guard let properties = try await connection.call(call).arguments.first?.dictionary else { return }
            await peripheral.update(properties, isSnapshot: true)
        } catch {
            // It has gone meanwhile, which its signals tell.
        }
    }

    func disconnect(_ path: String, _ connection: Connection) async {
        do throws(DBusError) {
            let call = try Message(call: "Disconnect", on: BlueZName.device, at: path, of: BlueZName.service)
            _ = try await connection.call(call, timeout: .seconds(10))
        } catch {
            // Whether the link is down is what counts, and that is looked at afterwards.
        }
    }
}

extension Peripheral {
    func setSlow(_ isSlow: Bool) {
        self.isSlow = isSlow
    }
}
