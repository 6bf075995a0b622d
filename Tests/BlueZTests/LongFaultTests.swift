import BlueZ
import Bluetooth
import EventLoop
import Simulator
import System
import TestTraits
import Testing

/// Faults whose repair takes seconds, in virtual time.
@Suite(.ownThreads) struct LongFaultTests {
    private static func fleet(_ version: String, _ faults: String) -> String {
        """
        bluetoothd: "\(version)"
        adapters: {hci0: {address: "00:00:5E:00:53:01"}}
        peripherals:
          sensor:
            address: C0:00:00:00:00:04
            advertise: {every: 1s}
            faults: [\(faults)]
            services: [{uuid: 181A, characteristics: [{uuid: temperature, flags: [read, notify], value: 21.53}]}]
        """
    }

    /// Connects as often as necessary, as a session does, and returns the errors and the time that it took.
    private static func connect(
        _ fixture: Fixture, by central: Central? = nil
    ) async throws -> (errors: [CentralError.Code], duration: Duration) {
        let central = central ?? fixture.central
        let sensor = await central.peripheral(at: Fixture.sensor)
        let start = fixture.loop.now
        var errors: [CentralError.Code] = []
        while await !sensor.isConnected, errors.count < 20 {
            do throws(CentralError) {
                try await central.find(sensor, within: .seconds(60))
                try await central.connect(sensor)
            } catch {
                errors.append(error.code)
                await fixture.loop.sleep(for: .seconds(1))
            }
        }
        return (errors, fixture.loop.now - start)
    }

    @Test(arguments: ["5.66", "5.82", "5.86", "5.87"])
    func `a Connect that succeeds without a connection is an error, and a later one succeeds`(version: String) throws {
        let fleet = Self.fleet(version, "{fault: connect without link, times: 6}")
        let (errors, duration) = try withVirtualTime(fleet) { _, fixture in try await Self.connect(fixture) }
        // Each call makes several attempts.
        #expect(errors.count <= 1 && errors.allSatisfy { $0 == .connectionFailed }, "\(errors)")
        #expect(duration < .seconds(30), "\(duration)")
    }

    @Test(arguments: ["5.66", "5.82", "5.86", "5.87"])
    func `a device that vanishes while it is being connected is found and connected again`(version: String) throws {
        let fleet = Self.fleet(version, "{fault: vanishes while connecting, times: 2}")
        let (errors, duration) = try withVirtualTime(fleet) { _, fixture in try await Self.connect(fixture) }
        #expect(!errors.isEmpty && errors.count <= 2, "\(errors)")
        // bluetoothd does not reply to either Connect, so that each one lasts 20 s.
        #expect(duration < .seconds(60), "\(duration)")
    }

    @Test func `an AcquireNotify without a reply fails after 10 s, and the next connection subscribes`() throws {
        let fleet = Self.fleet("5.82", "{fault: acquire hangs, times: 1}")
        let (error, duration, isNotifying) = try withVirtualTime(fleet) { _, fixture in
            let central = Central(bus: fixture.bus, adapters: nil, notifications: .descriptors, loop: fixture.loop)
            await central.start()
            _ = try await Self.connect(fixture, by: central)
            let sensor = await central.peripheral(at: Fixture.sensor)
            let characteristic = try await sensor.discoverServices([UUID(0x181A as UInt16)])[0].characteristics[0]
            let start = fixture.loop.now
            let error = await #expect(throws: CentralError.self) {
                try await sensor.setNotify(true, for: characteristic)
            }
            let duration = fixture.loop.now - start
            try await central.cancelConnection(sensor)
            _ = try await Self.connect(fixture, by: central)
            let again = try await sensor.discoverServices([UUID(0x181A as UInt16)])[0].characteristics[0]
            try await sensor.setNotify(true, for: again)
            let isNotifying = await sensor.isNotifying(again)
            await central.close()
            return (error, duration, isNotifying)
        }
        // `timeout` would count as a stuck connection.
        #expect(error?.code == .failed)
        #expect(duration >= .seconds(10) && duration < .seconds(11), "\(duration)")
        #expect(isNotifying)
    }

    @Test func `a Connect without a reply ends after 20 s, and another peripheral is connected before`() throws {
        let fleet =
            Self.fleet("5.82", "{fault: connect hangs, times: 1}") + """

                  other:
                    address: C0:00:00:00:00:05
                    advertise: {every: 1s}
                """
        let (others, errors, duration) = try withVirtualTime(fleet) { _, fixture in
            let outcomes = Mailbox<Duration>()
            let start = fixture.loop.now
            Task(executorPreference: fixture.loop.tasks) {
                let other = await fixture.central.peripheral(at: Fixture.other)
                try? await fixture.central.find(other, within: .seconds(60))
                try? await fixture.central.connect(other)
                outcomes.put(fixture.loop.now - start)
            }
            let (errors, duration) = try await Self.connect(fixture)
            return (await outcomes.next(), errors, duration)
        }
        #expect(others.map { $0 < .seconds(25) } == true, "\(others ?? .zero)")
        #expect(errors.count <= 1)
        #expect(duration < .seconds(60), "\(duration)")
    }
}
