import BlueZ
import Bluetooth
import Testing

@Suite struct DiscoveringTests {
    @Test func `what bluetoothd tells of after it has called the services resolved is found all the same`() throws {
        let fleet = oneSensor.replacing(
            "  other:", with: "    faults: [resolved too early]\n  other:")
        let services = try inRoom(fleet) { _, room in
            let sensor = await room.central.peripheral(at: Room.sensor)
            try await room.connect(sensor)
            return try await sensor.discoverServices([UUID(0x181A as UInt16)])
        }
        #expect(services.flatMap(\.characteristics).map(\.uuid.short) == [0x2A6E])
    }
}
