import Bluetooth
import DBus
import EventLoop
import Simulator
import Testing

@testable import BlueZ

/// Repairs of adapters, and what may come between.
@Suite struct RepairTests {
    private static func fleet(_ faults: String) -> String {
        oneSensor.replacing("53:01\"}", with: "53:01\", faults: [\(faults)]}")
    }

    /// A central that soon takes a scan for dead, and seeks the sensor.
    private static func makeImpatientCentral(_ room: Room, _ repairs: Mailbox<String>) async -> Central {
        let central = Central(bus: room.bus, adapters: nil, scanSilence: .milliseconds(20), loop: room.loop)
        await central.onRepair { repair, _, _ in repairs.put(repair.name) }
        return central
    }

    private static func wait(for state: ManagerState, _ states: Mailbox<ManagerState>) async {
        while let next = await states.next(), next != state {}
    }

    @Test func `an adapter that was switched off to repair it is switched on, however often that fails`() throws {
        let isHeard = try inRoom(Self.fleet("scan dies, {fault: power on fails, times: 3}")) { _, room in
            let central = await Self.makeImpatientCentral(room, Mailbox())
            let states = Mailbox<ManagerState>()
            await central.onStateChange { state, _ in states.put(state) }
            await central.start()
            let sensor = await central.peripheral(at: Room.sensor)
            await central.seek(sensor)
            await Self.wait(for: .poweredOff, states)
            await Self.wait(for: .poweredOn, states)
            try await room.simulation.direct { scene throws(SceneError) in try scene.cancel(.scanDies, of: "hci0") }
            await room.hear(sensor, by: central)
            let isHeard = await sensor.rssi != nil
            await central.close()
            return isHeard
        }
        #expect(isHeard)
    }

    @Test func `an adapter that another program has a link through is not switched off`() throws {
        let names = try inRoom { _, room in
            try await room.connect(await room.central.peripheral(at: Room.other))
            try await room.simulation.direct { scene throws(SceneError) in
                try scene.plan(Fault.Rule(.scanDies), for: "hci0")
            }
            let repairs = Mailbox<String>()
            let central = await Self.makeImpatientCentral(room, repairs)
            await central.start()
            await central.seek(await central.peripheral(at: Room.sensor))
            let names = [await repairs.next(), await repairs.next(), await repairs.next()]
            let isUp = try await room.isConnected("other")
            await central.close()
            #expect(isUp)
            return names
        }
        #expect(names == ["restart_scan", "restart_scan", "restart_scan"])
    }

    @Test func `who leaves in the middle of a power cycle leaves the adapter on`() throws {
        let isPowered = try inRoom(Self.fleet("scan dies, power on fails")) { _, room in
            let central = await Self.makeImpatientCentral(room, Mailbox())
            let states = Mailbox<ManagerState>()
            await central.onStateChange { state, _ in states.put(state) }
            await central.start()
            await central.seek(await central.peripheral(at: Room.sensor))
            await Self.wait(for: .poweredOff, states)
            try await room.simulation.direct { scene throws(SceneError) in
                try scene.plan(Fault.Rule(.powerOnFails, times: 1), for: "hci0")
            }
            await central.close()
            while await room.central.state != .poweredOn { await room.loop.sleep(for: .milliseconds(1)) }
            return await room.central.availableAdapters[0].isPowered
        }
        #expect(isPowered)
    }

    @Test func `a power cycle whose first half comes late has its second half`() throws {
        let states = try inRoom { _, room in
            let states = Mailbox<ManagerState>()
            await room.central.onStateChange { state, _ in states.put(state) }
            await room.central.isSwitchingOff(room.central.availableAdapters[0])
            try await room.simulation.direct { scene throws(SceneError) in
                try scene.switchPower(of: "hci0", on: false)
            }
            return [await states.next(), await states.next()]
        }
        #expect(states == [.poweredOff, .poweredOn])
    }
}

extension Central {
    /// As if bluetoothd had not answered when it was to switch the adapter off.
    fileprivate func isSwitchingOff(_ adapter: Adapter) {
        powerCycles[adapter.address] = PowerCycle(start: loop.now)
    }
}
