internal import Bluetooth
internal import DBus
internal import EventLoop

/// What has been switched off to repair it is switched on again, whatever comes between.
extension Central {
    /// Switches an adapter off, and sees to it that it is switched on again.
    func cyclePower(of adapter: Adapter, _ connection: Connection) async throws(DBusError) {
        powerCycles[adapter.address] = PowerCycle(start: loop.now)
        do throws(DBusError) {
            try await setPower(false, of: adapter.path, connection)
            powerCycles[adapter.address]?.isOff = true
        } catch {
            // Without an answer it may go off all the same.
            if error.name.hasPrefix("org.bluez.") { powerCycles[adapter.address] = nil }
            throw error
        }
        endPowerCycleSoon(of: adapter.address)
    }

    /// Takes note of an adapter's power, which has changed or is told for the first time.
    func noticedPower(of adapter: Adapter) {
        guard let cycle = powerCycles[adapter.address] else { return }
        if adapter.isPowered {
            // Whoever has switched it on: what comes now is not from here.
            if cycle.isOff { powerCycles[adapter.address] = nil }
        } else if cycle.isOff || loop.now - cycle.start < PowerCycle.patience {
            powerCycles[adapter.address]?.isOff = true
            endPowerCycleSoon(of: adapter.address)
        } else {
            powerCycles[adapter.address] = nil
        }
    }

    private func endPowerCycleSoon(of address: Address) {
        guard powerCycles[address]?.isEnding == false else { return }
        powerCycles[address]?.isEnding = true
        Task(executorPreference: loop.tasks) { await self.endPowerCycle(of: address) }
    }

    /// Tries until the adapter is on; after the loss of bluetoothd it goes on when the adapter is back.
    private func endPowerCycle(of address: Address) async {
        var pause = Duration.milliseconds(250)
        while powerCycles[address] != nil, let connection,
            let adapter = adapters.values.first(where: { $0.address == address })
        {
            await switchOn(adapter, connection)
            guard powerCycles[address] != nil else { return }
            await loop.sleep(for: pause)
            pause = min(pause * 2, .seconds(60))
        }
        powerCycles[address]?.isEnding = false
    }

    /// The adapter is not to be used any more: it is not left switched off.
    func leavePowered(_ adapter: Adapter, _ connection: Connection) async {
        let deadline = loop.now + Self.farewell
        while let cycle = powerCycles[adapter.address], loop.now < deadline,
            cycle.isOff || loop.now - cycle.start < PowerCycle.patience
        {
            if cycle.isOff { await switchOn(adapter, connection) }
            if powerCycles[adapter.address] != nil { await loop.sleep(for: .milliseconds(100)) }
        }
        powerCycles[adapter.address] = nil
    }

    private func switchOn(_ adapter: Adapter, _ connection: Connection) async {
        do throws(DBusError) {
            try await setPower(true, of: adapter.path, connection)
            powerCycles[adapter.address] = nil
        } catch {
            // Somebody else wants it off.
            if error.name == "org.bluez.Error.Blocked" { powerCycles[adapter.address] = nil }
        }
    }

    private func setPower(_ isOn: Bool, of path: String, _ connection: Connection) async throws(DBusError) {
        let call = try Message(
            call: "Set", on: BlueZName.properties, at: path, of: BlueZName.service,
            [.string(BlueZName.adapter), .string("Powered"), .variant(.boolean(isOn))])
        _ = try await connection.call(call)
    }
}
