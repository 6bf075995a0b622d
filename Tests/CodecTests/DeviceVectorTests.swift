import Bluetooth
import Codec
import TestSupport
import Testing

@Suite struct DeviceVectorTests {
    /// The formats that have as many bytes as the packet; the bytes of the others are decrypted first.
    static let plainFormats = Advertisements.all.filter { !$0.isEncrypted }

    @Test(arguments: plainFormats)
    func `the fields of a format have one of the lengths of its match`(format: AdvertisementFormat) {
        var random = SeededGenerator(seed: 5)
        let fits = format.match.lengths.clamped(to: 0...64).contains { length in
            (0..<64).contains { _ in
                let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
                do throws(DecodingError) {
                    _ = try format.format.decode(bytes)
                    return true
                } catch {
                    // Only the length matters here, not the content of the fields.
                    if case .invalid = error { return true }
                    return false
                }
            }
        }
        #expect(fits, "\(format.name)")
    }

    @Test(arguments: DevicePacket.all)
    func `a packet decodes to the expected values`(packet: DevicePacket) throws {
        var decoder = packet.decoder
        let readings = try decoder.decode(packet.advertisement).readings
        #expect(Value.record(readings.payload).description == packet.expected.description)
    }
}
