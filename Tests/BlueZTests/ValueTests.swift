import Bluetooth
import DBus
import EventLoop
import Simulator
import TestTraits
import Testing

@testable import BlueZ

/// Reads and writes of characteristics and descriptors.
@Suite(.ownThreads) struct ValueTests {
    private static let fleet = """
        adapters: {hci0: {address: "00:00:5E:00:53:01"}}
        peripherals:
          sensor:
            address: C0:00:00:00:00:04
            advertise: {every: 5ms}
            pace: {connect: 5ms, resolve: 5ms, read: 1ms, write: 1ms, subscribe: 1ms, disconnect: 10ms}
            services:
              - uuid: 181A
                includes: [180F]
                characteristics:
                  - uuid: temperature
                    flags: [read, notify]
                    value: 21.53
                    descriptors: [{uuid: 2901, text: Outside}]
                  - uuid: 6e400002-b5a3-f393-e0a9-e50e24dcca9e
                    flags: [write, write-without-response, extended-properties, reliable-write]
                    hex: "00"
                  - {uuid: 6e400003-b5a3-f393-e0a9-e50e24dcca9e, flags: [read, write, notify], hex: "00"}
                  - {uuid: 6e400004-b5a3-f393-e0a9-e50e24dcca9e, flags: [write-without-response], hex: "00"}
              - {uuid: 180F, characteristics: [{uuid: battery_level, value: 93}]}
        """

    /// Returns the connected sensor and its services.
    private static func connected(_ fixture: Fixture) async throws -> (BlueZ.Peripheral, [BlueZ.Service]) {
        let sensor = await fixture.central.peripheral(at: Fixture.sensor)
        try await fixture.connect(sensor)
        return (sensor, try await sensor.discoverServices([UUID(0x181A as UInt16)]))
    }

    @Test func `a value that bluetoothd remembers is not delivered as a notification`() throws {
        let values = try withFixture(Self.fleet) { _, fixture in
            let (former, services) = try await Self.connected(fixture)
            let characteristic = services[0].characteristics[0]
            // bluetoothd remembers the last read or notified value in the property `Value`, also after a reconnection.
            _ = try await former.readValue(of: characteristic)
            try await fixture.central.cancelConnection(former)
            let central = await fixture.makeCentral()
            let sensor = await central.peripheral(at: Fixture.sensor)
            let received = Mailbox<[UInt8]>()
            await sensor.onValue { bytes, _, _ in received.put([UInt8](bytes)) }
            try await fixture.connect(sensor, by: central)
            let found = try await sensor.discoverServices([UUID(0x181A as UInt16)])[0].characteristics[0]
            try await sensor.setNotify(true, for: found)
            try await fixture.simulation.direct { scene throws(SceneError) in
                try scene.notify([3], from: UUID(0x2A6E as UInt16), of: "sensor")
            }
            let first = await received.next()
            try await fixture.dropLink(of: "sensor")
            while await sensor.isConnected { await fixture.loop.sleep(for: .milliseconds(1)) }
            try await fixture.connect(sensor, by: central)
            let again = try await sensor.discoverServices([UUID(0x181A as UInt16)])[0].characteristics[0]
            try await sensor.setNotify(true, for: again)
            try await fixture.simulation.direct { scene throws(SceneError) in
                try scene.notify([4], from: UUID(0x2A6E as UInt16), of: "sensor")
            }
            let second = await received.next()
            await central.close()
            return [first, second]
        }
        #expect(values == [[3], [4]])
    }

    @Test func `a device without its interface Battery1 remains, with its connection and its services`() throws {
        let (interfaces, isConnected, value, path) = try withFixture(Self.fleet) { _, fixture in
            let (sensor, services) = try await Self.connected(fixture)
            let observer = try await Connection.open(fixture.bus, loop: fixture.loop)
            let removed = Mailbox<[String]>()
            await observer.onSignal { message in
                if message.isSignal("InterfacesRemoved", on: "org.freedesktop.DBus.ObjectManager") {
                    removed.put(message.arguments.last?.texts ?? [])
                }
            }
            try await observer.addMatch("type='signal',member='InterfacesRemoved'")
            // bluetoothd reads the battery level by itself; until then, there is nothing to remove.
            while removed.count == 0 {
                try await fixture.simulation.direct { scene throws(SceneError) in
                    try scene.hideBattery(of: "sensor")
                }
                await fixture.loop.sleep(for: .milliseconds(1))
            }
            let interfaces = await removed.next()
            let value = try await sensor.readValue(of: services[0].characteristics[0])
            let path = await sensor.path
            await observer.close()
            return (interfaces, await sensor.isConnected, value, path)
        }
        #expect(interfaces == ["org.bluez.Battery1"])
        #expect(isConnected)
        #expect(value == [0x69, 0x08])
        #expect(path?.hasSuffix("dev_C0_00_00_00_00_04") == true)
    }

    @Test func `the descriptors of a characteristic are read, each with its own value`() throws {
        let (text, flags) = try withFixture(Self.fleet) { _, fixture in
            let (sensor, services) = try await Self.connected(fixture)
            let descriptors = services[0].characteristics[0].descriptors
            let description = try #require(descriptors.first { $0.uuid.short == 0x2901 })
            let configuration = try #require(descriptors.first { $0.uuid.short == 0x2902 })
            return (
                try await sensor.readValue(of: description), try await sensor.readValue(of: configuration)
            )
        }
        #expect(text == Array("Outside".utf8))
        #expect(flags == [0, 0])
    }

    @Test func `discoverServices reports included services`() throws {
        let services = try withFixture(Self.fleet) { _, fixture in try await Self.connected(fixture).1 }
        #expect(services.map { $0.includedServices.map(\.short) } == [[0x180F]])
    }

    @Test func `writeValue sends each type of write, also long values and many at once`() throws {
        let (kinds, values) = try withFixture(Self.fleet) { _, fixture in
            let (sensor, services) = try await Self.connected(fixture)
            let output = services[0].characteristics[1]
            let long = [UInt8](repeating: 7, count: 512)
            try await sensor.writeValue(long, of: output, .withResponse)
            try await sensor.writeValue([1], of: output, .reliable)
            for number in 0..<20 { try await sensor.writeValue([UInt8(number)], of: output, .withoutResponse) }
            return try await fixture.simulation.direct { scene throws(SceneError) in
                let writes = try scene.events(of: "sensor").filter {
                    [.write, .reliableWrite, .command].contains($0.kind)
                }
                return (writes.map(\.kind.rawValue), writes.map(\.value))
            }
        }
        #expect(kinds == ["write", "write reliable"] + [String](repeating: "command", count: 20))
        #expect(values == [[UInt8](repeating: 7, count: 512), [1]] + (0..<20).map { [UInt8($0)] })
    }

    @Test(arguments: [WriteType.reliable, .withoutResponse])
    func `writeValue rejects a type that the characteristic does not support, and sends nothing`(_ type: WriteType)
        throws
    {
        let (code, count) = try withFixture(Self.fleet) { _, fixture in
            let (sensor, services) = try await Self.connected(fixture)
            let code = await Self.rejection(of: type, services[0].characteristics[2], of: sensor)
            return try await fixture.simulation.direct { scene throws(SceneError) in
                (code, try scene.events(of: "sensor").count { $0.value == [1] })
            }
        }
        #expect(code == .notSupported)
        #expect(count == 0)
    }

    @Test func `writeValue reports the peripheral's error for a write with a response`() throws {
        let code = try withFixture(Self.fleet) { _, fixture in
            let (sensor, services) = try await Self.connected(fixture)
            return await Self.rejection(of: .withResponse, services[0].characteristics[3], of: sensor)
        }
        #expect(code == .att(ATTError(code: 0x03)))
    }

    private static func rejection(
        of type: WriteType, _ characteristic: BlueZ.Characteristic, of sensor: BlueZ.Peripheral
    ) async -> CentralError.Code? {
        do throws(CentralError) {
            try await sensor.writeValue([1], of: characteristic, type)
            return nil
        } catch {
            return error.code
        }
    }

    @Test func `an operation is retried while another program uses the characteristic`() throws {
        let fleet = Self.fleet.replacing(
            "    advertise:", with: "    faults: [{fault: operation in progress, times: 2}]\n    advertise:")
        let value = try withFixture(fleet) { _, fixture in
            let (sensor, services) = try await Self.connected(fixture)
            return try await sensor.readValue(of: services[0].characteristics[0])
        }
        #expect(value == [0x69, 0x08])
    }

    @Test func `cancelled writes are not sent later, and do not delay later ones`() throws {
        // At the rate of the pacer they would take 15 s.
        let values = (0..<1000).map { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        let (errors, commands) = try withFixture(Self.fleet) { _, fixture in
            let (sensor, services) = try await Self.connected(fixture)
            let output = services[0].characteristics[1]
            let outcomes = Mailbox<CentralError?>()
            for value in values {
                Task(executorPreference: fixture.loop.tasks) {
                    do throws(CentralError) {
                        try await sensor.writeValue(value, of: output, .withoutResponse)
                        outcomes.put(nil)
                    } catch {
                        outcomes.put(error)
                    }
                }
            }
            // The first writes are sent at once; the later ones, which the pacer delays, are cancelled.
            for _ in 0..<8 { _ = await outcomes.next() }
            await sensor.cancelOperations()
            var errors: [CentralError] = []
            for _ in values.dropFirst(8) {
                if let error = await outcomes.next() ?? nil { errors.append(error) }
            }
            // A cancelled write that is still sent would arrive before this one.
            try await sensor.writeValue([99], of: output, .withoutResponse)
            let commands = try await fixture.simulation.direct { scene throws(SceneError) in
                try scene.events(of: "sensor").filter { $0.kind == .command }.map { $0.value }
            }
            return (errors, commands)
        }
        #expect(errors.allSatisfy { $0.code == .cancelled })
        #expect(!errors.isEmpty && errors.count < values.count)
        #expect(commands.count <= values.count)
        #expect(commands.dropLast() == values.prefix(commands.count - 1) && commands.last == [99])
    }
}
