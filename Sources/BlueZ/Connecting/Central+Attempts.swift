internal import Bluetooth
internal import DBus
internal import EventLoop

/// Attempts to connect: each in its turn, each with its end.
extension Central {
    /// Tries until there is a link, whenever it is the peripheral's turn.
    func takeTurns(
        _ peripheral: Peripheral, _ attempt: ConnectionAttempt, _ limit: Duration
    ) async throws(CentralError) {
        let address = peripheral.address
        let lane = attempt.links.lane
        var rest = limit
        while true {
            guard await lane.enter(address) else { throw cancellation(of: address) }
            let start = loop.now
            attempt.resume(at: start)
            do {
                try await burst(peripheral, attempt, until: start + rest)
                resumeScan(after: peripheral)
                return lane.leave(address, isConnected: true)
            } catch {
                resumeScan(after: peripheral)
                lane.leave(address, isConnected: false)
                if attempt.isGivenUp { throw cancellation(of: address) }
                guard attempt.isInterrupted else { throw error }
                // Another adapter may have more luck.
                if await peripheral.isBetterElsewhere { throw silence(of: address) }
            }
            rest -= loop.now - start
            guard rest > .seconds(1) else { throw silence(of: address) }
        }
    }

    private func cancellation(of address: Address) -> CentralError {
        CentralError(.cancelled, address.description, "connect: given up")
    }

    private func silence(of address: Address) -> CentralError {
        CentralError(.connectionTimeout, address.description, "connect: it did not answer in time")
    }

    private static let burstAttempts = 4

    /// A few quick attempts: what bluetoothd calls `le-connection-abort-by-local` is mostly gone the next time.
    private func burst(
        _ peripheral: Peripheral, _ attempt: ConnectionAttempt, until deadline: Instant
    ) async throws(CentralError) {
        var count = 1
        while true {
            if attempt.isGivenUp { throw cancellation(of: peripheral.address) }
            do {
                return try await attemptConnect(peripheral, attempt, until: deadline)
            } catch {
                let isTransient = error.code == .connectionFailed || error.code == .inProgress
                let pause = Duration.milliseconds(250)
                guard isTransient, count < Self.burstAttempts, loop.now + pause < deadline, !attempt.isToEnd
                else { throw error }
                if error.code == .inProgress {
                    try await endForeignAttempt(peripheral, isFirst: count == 1)
                } else {
                    await pauseScan(for: peripheral)
                }
                count += 1
                await loop.sleep(for: pause)
                if attempt.isToEnd { throw error }
            }
        }
    }

    private func attemptConnect(
        _ peripheral: Peripheral, _ attempt: ConnectionAttempt, until deadline: Instant
    ) async throws(CentralError) {
        let object = peripheral.address.description
        if await peripheral.isConnected { return }
        guard let connection, let path = await peripheral.path else {
            throw CentralError(.notFound, object, "connect: it has gone from bluetoothd's list")
        }
        await prepareAgent(for: peripheral)
        await preferLowEnergy(peripheral, path, connection)
        // Who ended it until now found nothing to end.
        if attempt.isToEnd { throw cancellation(of: peripheral.address) }
        attempt.isPending = true
        endedAttempts[peripheral.address] = nil
        defer { attempt.isPending = false }
        do throws(DBusError) {
            let call = try Message(call: "Connect", on: BlueZName.device, at: path, of: BlueZName.service)
            _ = try await connection.call(call, timeout: max(deadline - loop.now, .milliseconds(1)))
        } catch {
            guard error.name == DBusError.noReply else { throw CentralError(error, object, doing: "connect") }
            // bluetoothd goes on trying for whoever asked, until it is told to stop.
            await endPendingAttempt(of: peripheral, path, connection)
            throw silence(of: peripheral.address)
        }
        // The Connect went out after the Disconnect that was to end it.
        if attempt.isGivenUp {
            await endPendingAttempt(of: peripheral, path, connection)
            throw cancellation(of: peripheral.address)
        }
        // Where ATT is up before the kernel has reported the link, 5.66 never signals Connected: hence the question.
        if await !peripheral.isConnected { await refresh(peripheral, path, connection) }
        // An attempt that was aborted may be reported as a success (BlueZ 5.66 and later, src/device.c att_connect_cb).
        guard await peripheral.wait(for: .milliseconds(500), until: { $0.isConnected }) else {
            throw CentralError(.connectionFailed, object, "connect: bluetoothd reported success, but the link is down")
        }
    }

    /// A peripheral that speaks both kinds of Bluetooth is to be connected by the one that is meant here.
    private func preferLowEnergy(_ peripheral: Peripheral, _ path: String, _ connection: Connection) async {
        guard let bearer = await peripheral.preferredBearer, bearer != "le" else { return }
        do throws(DBusError) {
            let call = try Message(
                call: "Set", on: BlueZName.properties, at: path, of: BlueZName.service,
                [.string(BlueZName.device), .string("PreferredBearer"), .variant(.string("le"))])
            _ = try await connection.call(call)
        } catch {
            // Then it is tried as bluetoothd likes; the error of that says what to do.
        }
    }

    /// Asks bluetoothd for what it knows of a peripheral now.
    private func refresh(_ peripheral: Peripheral, _ path: String, _ connection: Connection) async {
        do throws(DBusError) {
            let call = try Message(
                call: "GetAll", on: BlueZName.properties, at: path, of: BlueZName.service, [.string(BlueZName.device)])
            guard let properties = try await connection.call(call).arguments.first?.dictionary else { return }
            await peripheral.update(properties, at: path, isSnapshot: true)
        } catch {
            // It has gone meanwhile, which its signals tell.
        }
    }

    // MARK: Ends

    /// The adapter is off: who wants a link asks again when it is on.
    func giveUpAttempts(through adapter: String) {
        guard let links = links[adapter] else { return }
        for (address, attempt) in attempts where attempt.links === links {
            attempt.giveUp()
            links.lane.endWait(of: address, isConnected: false)
            if links.isWaiting(address) { releaseSlot(of: address) }
        }
    }

    /// The peripheral's turn is over: its attempt makes way for the others'.
    func interruptAttempt(of address: Address) {
        attempts[address]?.interrupt()
        Task(executorPreference: loop.tasks) { await self.endInterruptedAttempt(of: address) }
    }

    private func endInterruptedAttempt(of address: Address) async {
        guard let peripheral = peripherals[address], let path = await peripheral.path, let connection,
            await !peripheral.isConnected, let attempt = attempts[address], attempt.isPending, attempt.isInterrupted
        else { return }
        await endPendingAttempt(of: peripheral, path, connection)
    }

    private func endPendingAttempt(of peripheral: Peripheral, _ path: String, _ connection: Connection) async {
        endedAttempts[peripheral.address] = loop.now
        await disconnect(path, connection)
        _ = await peripheral.wait(for: .seconds(5)) { !$0.isConnected }
    }

    /// Somebody has asked bluetoothd for the same link: a program that waits for it, or one that is no more. (An attempt
    /// outlives the client that asked for it.)
    ///
    /// - Throws: `CentralError`: `notFound` when bluetoothd had to forget the peripheral for it.
    private func endForeignAttempt(_ peripheral: Peripheral, isFirst: Bool) async throws(CentralError) {
        if isFirst {
            if await peripheral.wait(for: .seconds(2), until: { $0.isConnected }) { return }
            if let connection, let path = await peripheral.path { await disconnect(path, connection) }
        } else {
            await free(peripheral, "its attempt to connect does not end")
        }
    }
}
