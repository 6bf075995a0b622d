import Bluetooth
import Codec
import Testing

@Suite struct UnrelatedPacketTests {
    @Test(arguments: UnrelatedPacket.all)
    func `a packet that only resembles a known format is not decoded`(packet: UnrelatedPacket) throws {
        var decoder = packet.packet.decoder
        #expect(throws: AdvertisementError.self, "\(packet)") { try decoder.decode(packet.packet.advertisement) }
    }
}

/// Packets of known devices that contain no values.
@Suite struct PacketWithoutValuesTests {
    @Test(arguments: [
        // bean.switch.blns1 and linp.sensor_occupy.hb01, with another address.
        DevicePacket("a mesh switch", service: 0xFE95, "B054 9148 00 010000000000 08 0E00", .null),
        DevicePacket("a mesh sensor with an object", service: 0xFE95, "C050 0000 07 0A10 01 5A", .null),
        DevicePacket(
            "an encrypted mesh packet", service: 0xFE95, "D858 C928 01 0100000000C0 112233445566778899", .null),
    ])
    func `a mesh packet of Xiaomi names the way of its values`(packet: DevicePacket) throws {
        var decoder = packet.decoder
        let error = #expect(throws: AdvertisementError.self) { try decoder.decode(packet.advertisement) }
        #expect(error.map { "\($0)" }?.hasSuffix("Bluetooth mesh: read them from a Xiaomi gateway") == true)
        #expect(error?.isLasting == true && error?.isAboutKey == false)
    }

    @Test func `an encrypted MikroTik tag says what to switch off`() throws {
        let packet = DevicePacket("", company: 0x094F, "01 01 0000 0001 00FF 8000 8016 10270000 09 5A", .null)
        var decoder = packet.decoder
        let error = #expect(throws: AdvertisementError.self) { try decoder.decode(packet.advertisement) }
        #expect(error.map { "\($0)" }?.hasSuffix("switch the encryption of the tag off") == true)
    }
}

/// A packet that looks like a packet of a known device, but is not.
struct UnrelatedPacket: CustomStringConvertible {
    let packet: DevicePacket

    var description: String { packet.description }

    private init(_ packet: DevicePacket) {
        self.packet = packet
    }

    static let all = [
        DevicePacket("zeros that resemble an Inkbird", company: 0x0000, "0000 112233445566 0100", .null),
        DevicePacket(
            "an Inkbird with a battery above 100 %", name: "tps", company: 0x08CA, "8813 00 0000 FF 06", .null),
        DevicePacket(
            "the numbers of a Mopeka without its service", company: 0x0059, "05 60 3D E8C3 E0F509 F0 D8", .null),
        DevicePacket(
            "the numbers of a ThermoBeacon without its service", company: 0x0011,
            "0000 AE0A000023DC B80B 9201 7C03 CDBB0300", .null),
        DevicePacket(
            "a humidity above 100 %", company: 0x0011, offers: [0xFFF0],
            "0000 AE0A000023DC E10B 6C01 FFFF 10000000", .null),
        DevicePacket("the scale of another maker", company: 0xDFC0, "06A4 0000 0002 30 A1A2A3A4A5A6", .null),
        DevicePacket(
            "the numbers of a scale from a device with services", company: 0xDFC0, offers: [0x180F],
            "06A4 0000 0002 30 C00000000001", .null),
        DevicePacket("a light of Govee", company: 0x8803, "EC0003010111", .null),
    ].map(UnrelatedPacket.init)
}
