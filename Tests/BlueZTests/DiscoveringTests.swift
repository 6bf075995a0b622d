import BlueZ
import Bluetooth
import Testing

@Suite struct DiscoveringTests {
    @Test func `discoverServices finds objects that arrive after ServicesResolved`() throws {
        let fleet = oneSensor.replacing(
            "  other:", with: "    faults: [resolved too early]\n  other:")
        let services = try withFixture(fleet) { _, fixture in
            let sensor = await fixture.central.peripheral(at: Fixture.sensor)
            try await fixture.connect(sensor)
            return try await sensor.discoverServices([UUID(0x181A as UInt16)])
        }
        #expect(services.flatMap(\.characteristics).map(\.uuid.short) == [0x2A6E])
    }
}
