import Bluetooth
import DBus
import EventLoop
import System

extension Connector {
    /// Tries to connect in each turn of the peripheral, until there is a connection or the turns have lasted for
    /// `limit`.
    ///
    /// - Returns: Whether there is a connection; false if the peripheral must wait for a slot again, because all slots
    ///   are in use by connections after all.
    func takeTurns(
        _ peripheral: Peripheral, _ attempt: ConnectionAttempt, _ limit: Duration
    ) async throws(CentralError) -> Bool {
        let address = peripheral.address
        let turns = attempt.connections.turns
        var rest = limit
        while true {
            let mustWait = turns.isBusy && attempt.turnStart == nil
            if mustWait { emit(.waitingForTurn, of: address) }
            guard await turns.enter(address) else { throw cancellation(of: address) }
            // The number of slots was not known when the peripheral received one.
            if attempt.connections.isUselessToConnect(address) {
                turns.leave(address, isConnected: false)
                return false
            }
            if mustWait { emit(.slotGranted, of: address) }
            let start = loop.now
            attempt.beginTurn(at: start)
            do {
                try await burst(peripheral, attempt, until: start + rest)
                scanner.resume(after: peripheral)
                turns.leave(address, isConnected: true)
                return true
            } catch {
                scanner.resume(after: peripheral)
                turns.leave(address, isConnected: false)
                if attempt.isCancelled { throw cancellation(of: address) }
                guard attempt.isInterrupted else { throw error }
                // Another adapter may succeed.
                if await peripheral.hasBetterRoute { throw timeout(of: address) }
            }
            rest -= loop.now - start
            guard rest > .seconds(1) else { throw timeout(of: address) }
        }
    }

    private func timeout(of address: Address) -> CentralError {
        CentralError(.connectionTimeout, address.description, "connect: the peripheral did not answer in time")
    }

    /// The number of quick attempts in one turn.
    private static let burstAttempts = 4

    /// Makes a few quick attempts: the error `le-connection-abort-by-local` usually does not occur again.
    private func burst(
        _ peripheral: Peripheral, _ attempt: ConnectionAttempt, until deadline: Instant
    ) async throws(CentralError) {
        var count = 1
        while true {
            if attempt.isCancelled { throw cancellation(of: peripheral.address) }
            do {
                return try await attemptConnect(peripheral, attempt, until: deadline)
            } catch {
                let isTransient = error.code == .connectionFailed || error.code == .inProgress
                let pause = Duration.milliseconds(250)
                guard isTransient, count < Self.burstAttempts, loop.now + pause < deadline, !attempt.shouldEnd
                else { throw error }
                if error.code == .inProgress {
                    await endForeignAttempt(peripheral, isFirst: count == 1)
                } else {
                    await scanner.pause(for: peripheral)
                }
                count += 1
                await loop.sleep(for: pause)
                if attempt.shouldEnd { throw error }
            }
        }
    }

    private func attemptConnect(
        _ peripheral: Peripheral, _ attempt: ConnectionAttempt, until deadline: Instant
    ) async throws(CentralError) {
        let object = peripheral.address.description
        if await peripheral.isConnected { return }
        guard let path = await peripheral.path, let device = bluetoothd.deviceObject(at: path) else {
            throw CentralError(.notFound, object, "connect: bluetoothd no longer lists the peripheral")
        }
        await bonds.prepareConnection(of: peripheral)
        await preferLowEnergy(peripheral, device)
        // A cancellation before this point had nothing to cancel at bluetoothd.
        if attempt.shouldEnd { throw cancellation(of: peripheral.address) }
        attempt.callSent()
        attemptBegins(of: peripheral.address)
        defer { attempt.callEnded() }
        do throws(DBusError) {
            try await device.call("Connect", timeout: max(deadline - loop.now, .milliseconds(1)))
        } catch {
            guard error.name == DBusError.noReply else { throw CentralError(error, object, doing: "connect") }
            // bluetoothd continues the attempt until Disconnect is called.
            await endPendingAttempt(of: peripheral, device)
            throw timeout(of: peripheral.address)
        }
        // A Disconnect that was to end the attempt may have been sent before Connect, or may have come too late.
        if attempt.shouldEnd {
            await endPendingAttempt(of: peripheral, device)
            throw cancellation(of: peripheral.address)
        }
        attempt.callSucceeded()
        // If ATT is connected before the kernel has reported the connection, bluetoothd 5.66 never signals Connected.
        if await !peripheral.isConnected { await refresh(peripheral, device) }
        // bluetoothd may report an aborted attempt as a success (BlueZ 5.66 and later, src/device.c att_connect_cb).
        guard await peripheral.wait(for: .milliseconds(500), until: { $0.isConnected }) else {
            throw CentralError(
                .connectionFailed, object, "connect: bluetoothd reported success, but there is no connection")
        }
    }

    /// Makes bluetoothd connect by LE to a peripheral that also supports Bluetooth Classic.
    private func preferLowEnergy(_ peripheral: Peripheral, _ device: RemoteObject) async {
        guard let bearer = await peripheral.preferredBearer, bearer != "le" else { return }
        do throws(DBusError) {
            try await device.set("PreferredBearer", to: .string("le"))
        } catch {
            // bluetoothd then chooses the kind of Bluetooth itself; if Connect fails, its error contains the remedy.
        }
    }

    /// Reads the present properties of a peripheral.
    private func refresh(_ peripheral: Peripheral, _ device: RemoteObject) async {
        do throws(DBusError) {
            guard let properties = try await device.getAll() else { return }
            await peripheral.update(DeviceProperties(properties), at: device.path, isSnapshot: true)
        } catch {
            // The object is gone, which a signal reports.
        }
    }

    /// Cancels a pending attempt at bluetoothd, and waits until a connection that was made nevertheless is down.
    func endPendingAttempt(of peripheral: Peripheral, _ device: RemoteObject) async {
        attemptWasCancelled(of: peripheral.address)
        await device.disconnect(timeout: bluetoothd.disconnectTimeout)
        _ = await peripheral.wait(for: .seconds(5)) { !$0.isConnected }
    }

    /// Handles the attempt of another program to connect to the same peripheral.
    ///
    /// The program may have ended: bluetoothd continues an attempt after its client has left the bus.
    private func endForeignAttempt(_ peripheral: Peripheral, isFirst: Bool) async {
        if isFirst {
            if await peripheral.wait(for: .seconds(2), until: { $0.isConnected }) { return }
            if let path = await peripheral.path, let device = bluetoothd.deviceObject(at: path) {
                await device.disconnect(timeout: bluetoothd.disconnectTimeout)
            }
        } else {
            await repairer.free(peripheral, reason: "an attempt to connect to the peripheral does not end")
        }
    }
}
