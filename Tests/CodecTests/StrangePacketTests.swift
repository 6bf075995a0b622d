import Bluetooth
import Codec
import Testing

/// Packets that look like those of a device, and are none of them.
@Suite struct StrangePacketTests {
    @Test(arguments: StrangePacket.all)
    func `what only looks like a device's packet is not read`(packet: StrangePacket) throws {
        var decoder = packet.packet.decoder
        #expect(throws: AdvertisementError.self, "\(packet)") { try decoder.decode(packet.packet.advertisement) }
    }
}

struct StrangePacket: CustomStringConvertible {
    let packet: DevicePacket

    var description: String { packet.description }

    private init(_ packet: DevicePacket) {
        self.packet = packet
    }

    static let all = [
        DevicePacket(
            "an encrypted MikroTik tag", company: 0x094F, "01 01 0000 0001 00FF 8000 8016 10270000 09 5A", .null),
        DevicePacket("a light of Govee's", company: 0x8803, "EC0003010111", .null),
    ].map(StrangePacket.init)
}
