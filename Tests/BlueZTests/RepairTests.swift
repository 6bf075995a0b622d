import Bluetooth
import DBus
import EventLoop
import Simulator
import System
import TestTraits
import Testing

@testable import BlueZ

/// Repairs of adapters and their interruptions.
@Suite(.ownThreads) struct RepairTests {
    private static func fleet(_ faults: String) -> String {
        oneSensor.replacing("53:01\"}", with: "53:01\", faults: [\(faults)]}")
    }

    /// Returns a central that repairs a scan after 20 ms without an advertisement.
    private static func makeQuickCentral(_ fixture: Fixture, _ repairs: Mailbox<Repair>) async -> Central {
        let central = Central(bus: fixture.bus, adapters: nil, scanSilence: .milliseconds(20), loop: fixture.loop)
        await central.onRepair { repair, _, _ in repairs.put(repair) }
        return central
    }

    private static func wait(for state: ManagerState, _ states: Mailbox<ManagerState>) async {
        while let next = await states.next(), next != state {}
    }

    @Test func `a power cycle switches the adapter on again, even after several failures`() throws {
        let isSeen = try withFixture(Self.fleet("scan dies, {fault: power on fails, times: 3}")) { _, fixture in
            let central = await Self.makeQuickCentral(fixture, Mailbox())
            let states = Mailbox<ManagerState>()
            await central.onStateChange { state, _ in states.put(state) }
            await central.start()
            let sensor = await central.peripheral(at: Fixture.sensor)
            await central.startScanning(for: sensor)
            await Self.wait(for: .poweredOff, states)
            await Self.wait(for: .poweredOn, states)
            try await fixture.simulation.direct { scene throws(SceneError) in try scene.cancel(.scanDies, of: "hci0") }
            await fixture.waitForSighting(of: sensor, by: central)
            let isSeen = await sensor.rssi != nil
            await central.close()
            return isSeen
        }
        #expect(isSeen)
    }

    @Test func `an adapter with a connection of another program is not switched off`() throws {
        let steps = try withFixture { _, fixture in
            try await fixture.connect(await fixture.central.peripheral(at: Fixture.other))
            try await fixture.simulation.direct { scene throws(SceneError) in
                try scene.plan(Fault.Rule(.scanDies), for: "hci0")
            }
            let repairs = Mailbox<Repair>()
            let central = await Self.makeQuickCentral(fixture, repairs)
            await central.start()
            await central.startScanning(for: await central.peripheral(at: Fixture.sensor))
            let steps = [await repairs.next(), await repairs.next(), await repairs.next()]
            let isConnected = try await fixture.isConnected("other")
            await central.close()
            #expect(isConnected)
            return steps
        }
        #expect(steps == [.restartScan, .restartScan, .restartScan])
    }

    @Test func `close during a power cycle leaves the adapter on`() throws {
        let isPowered = try withFixture(Self.fleet("scan dies, power on fails")) { _, fixture in
            let central = await Self.makeQuickCentral(fixture, Mailbox())
            let states = Mailbox<ManagerState>()
            await central.onStateChange { state, _ in states.put(state) }
            await central.start()
            await central.startScanning(for: await central.peripheral(at: Fixture.sensor))
            await Self.wait(for: .poweredOff, states)
            try await fixture.simulation.direct { scene throws(SceneError) in
                try scene.plan(Fault.Rule(.powerOnFails, times: 1), for: "hci0")
            }
            await central.close()
            while await fixture.central.state != .poweredOn { await fixture.loop.sleep(for: .milliseconds(1)) }
            return await fixture.central.availableAdapters[0].isPowered
        }
        #expect(isPowered)
    }

    @Test func `a power cycle is completed if the adapter goes off late`() throws {
        let states = try withFixture { _, fixture in
            let states = Mailbox<ManagerState>()
            await fixture.central.onStateChange { state, _ in states.put(state) }
            await fixture.central.beginPowerCycle(fixture.central.availableAdapters[0])
            try await fixture.simulation.direct { scene throws(SceneError) in
                try scene.switchPower(of: "hci0", on: false)
            }
            return [await states.next(), await states.next()]
        }
        #expect(states == [.poweredOff, .poweredOn])
    }
}

extension Central {
    /// Makes the central act as if bluetoothd had not replied to the call that switches the adapter off.
    fileprivate func beginPowerCycle(_ adapter: Adapter) {
        repairer.powerCycles.begin(of: adapter.address)
    }
}
