import Bluetooth
import Codec
import TestSupport
import Testing

@Suite struct DeviceVectorTests {
    /// The formats whose bytes are as many as the packet's: those of the others are decrypted first.
    static let plainFormats = Advertisements.all.filter { !$0.isEncrypted }

    @Test(arguments: plainFormats)
    func `a format's fields have one of the lengths that it is known by`(format: AdvertisementFormat) {
        var random = SeededGenerator(seed: 5)
        let fits = format.match.lengths.clamped(to: 0...64).contains { length in
            (0..<64).contains { _ in
                let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
                do throws(DecodingError) {
                    _ = try format.format.decode(bytes)
                    return true
                } catch {
                    // What a field holds is another matter.
                    if case .invalid = error { return true }
                    return false
                }
            }
        }
        #expect(fits, "\(format.name)")
    }

    @Test(arguments: DevicePacket.all)
    func `a device says what its layout tells`(packet: DevicePacket) throws {
        var decoder = packet.decoder
        let readings = try decoder.decode(packet.advertisement).readings
        #expect(Value.record(readings.payload).description == packet.expected.description)
    }
}
