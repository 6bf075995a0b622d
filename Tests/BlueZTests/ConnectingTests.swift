import Bluetooth
import DBus
import EventLoop
import Simulator
import System
import TestSupport
import TestTraits
import Testing

@testable import BlueZ

/// Attempts to connect that affect each other, and their repair.
@Suite(.ownThreads) struct ConnectingTests {
    private static func withFaults(_ faults: String) -> String {
        oneSensor.replacing("every: 5ms}\n    pace", with: "every: 5ms}\n    faults: [\(faults)]\n    pace")
    }

    private static func failure(_ body: () async throws(CentralError) -> Void) async -> CentralError? {
        do throws(CentralError) {
            try await body()
            return nil
        } catch {
            return error
        }
    }

    /// Makes another client call a method of the sensor, without waiting for the reply.
    private static func call(_ member: String, in fixture: Fixture) async throws -> Connection {
        let otherClient = try await Connection.open(fixture.bus, loop: fixture.loop)
        try await otherClient.send(
            Message(
                call: member, on: "org.bluez.Device1", at: "/org/bluez/hci0/dev_C0_00_00_00_00_04", of: "org.bluez"))
        // The bus replies after it has passed the call on.
        _ = try await otherClient.callBus("GetId")
        return otherClient
    }

    @Test func `a blocked peripheral is not connected, and the error names the command that unblocks it`() throws {
        let (message, isConnected) = try withFixture { _, fixture in
            let sensor = await fixture.central.peripheral(at: Fixture.sensor)
            await fixture.waitForSighting(of: sensor)
            try await Self.block(true, in: fixture)
            let error = await Self.failure { () throws(CentralError) in try await fixture.central.connect(sensor) }
            #expect(try await fixture.events(of: "sensor") == [])
            try await Self.block(false, in: fixture)
            try await fixture.central.connect(sensor)
            return (error?.message, await sensor.isConnected)
        }
        #expect(message?.contains("the peripheral is blocked: bluetoothctl unblock C0:00:00:00:00:04") == true)
        #expect(isConnected)
    }

    /// Makes another client block or unblock the sensor.
    private static func block(_ isBlocked: Bool, in fixture: Fixture) async throws {
        let client = try await Connection.open(fixture.bus, loop: fixture.loop)
        _ = try await client.call(
            Message(
                call: "Set", on: "org.freedesktop.DBus.Properties", at: "/org/bluez/hci0/dev_C0_00_00_00_00_04",
                of: "org.bluez", [.string("org.bluez.Device1"), .string("Blocked"), .variant(.boolean(isBlocked))]))
        await client.close()
        // The reply is sent before the signal; a later sighting comes after it.
        let sensor = await fixture.central.peripheral(at: Fixture.sensor)
        await fixture.waitForSighting(of: sensor)
    }

    @Test func `a peripheral that does not answer lets others connect, and is tried again`() throws {
        let (isOtherUp, isSensorUp) = try withFixture(Self.withFaults("{fault: connect hangs, times: 1}")) {
            _, fixture in
            let (sensor, other) = (
                await fixture.central.peripheral(at: Fixture.sensor),
                await fixture.central.peripheral(at: Fixture.other)
            )
            await fixture.waitForSighting(of: sensor)
            await fixture.waitForSighting(of: other)
            let outcomes = Mailbox<CentralError?>()
            Task(executorPreference: fixture.loop.tasks) {
                outcomes.put(
                    await Self.failure { () throws(CentralError) in try await fixture.central.connect(sensor) })
            }
            // The simulated kernel, like the real one, makes no other connection at the same time.
            try await fixture.central.connect(other)
            let isOtherUp = await other.isConnected
            let error = await outcomes.next() ?? nil
            #expect(error == nil)
            return (isOtherUp, await sensor.isConnected)
        }
        #expect(isOtherUp)
        #expect(isSensorUp)
    }

    @Test(arguments: ["5.66", "5.82"])
    func `an attempt of a program that has ended is cancelled`(version: String) throws {
        let fleet = "bluetoothd: \"\(version)\"\n" + Self.withFaults("{fault: connect hangs, times: 1}")
        let isConnected = try withFixture(fleet) { _, fixture in
            let sensor = await fixture.central.peripheral(at: Fixture.sensor)
            await fixture.waitForSighting(of: sensor)
            let otherClient = try await Self.call("Connect", in: fixture)
            await otherClient.close()
            try await fixture.central.connect(sensor)
            return await sensor.isConnected
        }
        #expect(isConnected)
    }

    @Test func `an attempt that does not end is repaired by removing the device, once`() throws {
        let (repairs, error, isConnected) = try withFixture(Self.withFaults("{fault: connect in progress, times: 2}")) {
            _, fixture in
            let sensor = await fixture.central.peripheral(at: Fixture.sensor)
            let repairs = Mailbox<Repair>()
            await fixture.central.onRepair { repair, _, _ in repairs.put(repair) }
            await fixture.waitForSighting(of: sensor)
            let error = await Self.failure { () throws(CentralError) in try await fixture.central.connect(sensor) }
            let count = repairs.count
            try await fixture.connect(sensor)
            return ((count, await repairs.next()), error, await sensor.isConnected)
        }
        #expect(repairs.0 == 1)
        #expect(repairs.1 == .removeDevice(Fixture.sensor))
        #expect(error?.code == .notFound)
        #expect(isConnected)
    }

    @Test func `a connection that does not end is repaired by removing the device`() throws {
        let (repairs, errors) = try withFixture(Self.withFaults("disconnect hangs")) { _, fixture in
            let central = Central(
                bus: fixture.bus, adapters: nil, disconnectTimeout: .milliseconds(50), loop: fixture.loop)
            let repairs = Mailbox<Repair>()
            await central.onRepair { repair, _, _ in repairs.put(repair) }
            await central.start()
            let sensor = await central.peripheral(at: Fixture.sensor)
            try await fixture.connect(sensor, by: central)
            let first = await Self.failure { () throws(CentralError) in try await central.cancelConnection(sensor) }
            let second = await Self.failure { () throws(CentralError) in try await central.cancelConnection(sensor) }
            let count = repairs.count
            await central.close()
            return ((count, await repairs.next()), [first, second].map { $0?.code })
        }
        // No second repair at once: the next one comes after a pause.
        #expect(repairs.0 == 1)
        #expect(repairs.1 == .removeDevice(Fixture.sensor))
        #expect(errors == [.timeout, .timeout])
    }

    @Test func `endConnections ends all other connections if one does not end`() throws {
        let sensorHangs = oneSensor.replacingOnce(
            "rssi: -50, every: 5ms}", with: "rssi: -50, every: 5ms}\n    faults: [disconnect hangs]")
        let (error, isConnected) = try withFixture(sensorHangs) { _, fixture in
            for address in [Fixture.sensor, Fixture.other] {
                try await fixture.connect(await fixture.central.peripheral(at: address))
            }
            await fixture.central.close()
            let central = await fixture.makeCentral(disconnectTimeout: .milliseconds(50))
            let error = await Self.failure { () throws(CentralError) in
                _ = try await central.endConnections(to: [Fixture.sensor, Fixture.other])
            }
            let isConnected = try await fixture.isConnected("other")
            await central.close()
            return (error, isConnected)
        }
        #expect(error?.code == .timeout && error?.object == "\(Fixture.sensor)")
        #expect(!isConnected)
    }

    @Test func `a connection that is being ended and does not end is not used, and is repaired`() throws {
        let (error, repair) = try withFixture(Self.withFaults("disconnect hangs")) { _, fixture in
            let central = Central(
                bus: fixture.bus, adapters: nil, disconnectTimeout: .milliseconds(50), loop: fixture.loop)
            await central.start()
            let sensor = await central.peripheral(at: Fixture.sensor)
            try await fixture.connect(sensor, by: central)
            let repairs = Mailbox<Repair>()
            await central.onRepair { repair, _, _ in repairs.put(repair) }
            await central.markUnwanted(Fixture.sensor)
            let error = await Self.failure { () throws(CentralError) in try await central.connect(sensor) }
            let repair = repairs.count == 1 ? await repairs.next() : nil
            await central.close()
            return (error, repair)
        }
        #expect(error?.code == .timeout)
        #expect(repair == .removeDevice(Fixture.sensor))
    }

    @Test func `a connection of another program is kept after this program has cancelled its own`() throws {
        let isConnected = try withFixture { _, fixture in
            let sensor = await fixture.central.peripheral(at: Fixture.sensor)
            await fixture.waitForSighting(of: sensor)
            await fixture.central.markCancelled(Fixture.sensor)
            try await fixture.central.cancelConnection(sensor)
            let otherClient = try await Self.call("Connect", in: fixture)
            while await !sensor.isConnected { await fixture.loop.sleep(for: .milliseconds(1)) }
            // After a complete connection of another peripheral, there has been enough time.
            let other = await fixture.central.peripheral(at: Fixture.other)
            try await fixture.connect(other)
            try await fixture.central.cancelConnection(other)
            await otherClient.close()
            return try await fixture.isConnected("sensor")
        }
        #expect(isConnected)
    }

    @Test func `cancelConnection during a connect leaves no attempt and no connection`() throws {
        let events = try withFixture(oneSensor.replacing("pace: {connect: 5ms", with: "pace: {connect: 20ms")) {
            _, fixture in
            let sensor = await fixture.central.peripheral(at: Fixture.sensor)
            await fixture.waitForSighting(of: sensor)
            // The cancellation comes at different moments.
            for delay in 0..<30 {
                let outcomes = Mailbox<CentralError?>()
                Task(executorPreference: fixture.loop.tasks) {
                    outcomes.put(
                        await Self.failure { () throws(CentralError) in try await fixture.central.connect(sensor) })
                }
                while await fixture.central.connectionUse[0].connections == 0 { await fixture.loop.sleep(for: .zero) }
                await fixture.loop.sleep(for: .milliseconds(delay))
                try await fixture.central.cancelConnection(sensor)
                _ = await outcomes.next()
                #expect(await !sensor.isConnected)
                #expect(await fixture.central.connectionUse[0].connections == 0)
            }
            try await fixture.connect(sensor)
            try await fixture.central.cancelConnection(sensor)
            return try await fixture.events()
        }
        #expect(events.count { $0 == "connected" } == events.count { $0 == "disconnected" })
    }

    @Test(arguments: ["5.66", "5.82"])
    func `a peripheral with both kinds of Bluetooth is connected by LE, or the error says what to configure`(
        version: String
    ) throws {
        let fleet = "bluetoothd: \"\(version)\"\n" + Self.withFaults("classic first")
        let (error, isConnected) = try withFixture(fleet) { _, fixture in
            let sensor = await fixture.central.peripheral(at: Fixture.sensor)
            await fixture.waitForSighting(of: sensor)
            let error = await Self.failure { () throws(CentralError) in try await fixture.central.connect(sensor) }
            return (error, await sensor.isConnected)
        }
        // 5.66 has no property for the preferred kind.
        #expect(isConnected == (version != "5.66"))
        #expect(error?.message.contains("ControllerMode = le") == (isConnected ? nil : true))
    }

    @Test func `after a failed connect the scan pauses until the services are resolved`() throws {
        let (states, isConnected) = try withFixture(Self.withFaults("{fault: connect aborts, times: 1}")) {
            _, fixture in
            let (sensor, other) = (
                await fixture.central.peripheral(at: Fixture.sensor),
                await fixture.central.peripheral(at: Fixture.other)
            )
            let observer = try await Connection.open(fixture.bus, loop: fixture.loop)
            let states = Mailbox<String>()
            await observer.onSignal { message in
                guard let changed = message.arguments.dropFirst().first?.dictionary else { return }
                if let isOn = changed["Discovering"]?.boolean { states.put("scan \(isOn)") }
                if let isOn = changed["Connected"]?.boolean { states.put("link \(isOn)") }
                if changed["ServicesResolved"]?.boolean == true { states.put("resolved") }
            }
            try await observer.addMatch("type='signal',member='PropertiesChanged'")
            await fixture.central.startScanning(for: sensor)
            // Another peripheral is scanned for too.
            await fixture.central.startScanning(for: other)
            await fixture.waitForSighting(of: sensor)
            try await fixture.central.connect(sensor)
            _ = try await sensor.discoverServices()
            var seen: [String] = []
            while seen.count(where: { $0 == "scan true" }) < 2, let state = await states.next() { seen.append(state) }
            await observer.close()
            return (seen, await sensor.isConnected)
        }
        #expect(states == ["scan true", "link true", "link false", "scan false", "link true", "resolved", "scan true"])
        #expect(isConnected)
    }
}

extension Central {
    /// Makes the central act as if bluetoothd had made the connection after the cancellation of the attempt.
    fileprivate func markUnwanted(_ address: Address) {
        connector.attemptWasCancelled(of: address)
        connector.connectionChanged(of: address, isConnected: true, at: nil)
    }

    /// Makes the central act as if an attempt had just been cancelled.
    fileprivate func markCancelled(_ address: Address) {
        connector.attemptWasCancelled(of: address)
    }
}
