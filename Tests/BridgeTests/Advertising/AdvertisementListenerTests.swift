import BlueZ
import Bluetooth
import Codec
import EventLoop
import Testing

@testable import Bridge

/// Which packets are news, and how long a silence may last.
@Suite struct AdvertisementListenerTests {
    private let address = Address(0x5448_E68F_80A5)

    private func packet(_ bytes: [UInt8]) -> Sighting {
        var advertisement = Advertisement()
        advertisement.serviceData[UUID(0xFCD2)] = bytes
        advertisement.rssi = -60
        return Sighting(address: address, kind: .public, adapter: "hci0", advertisement: advertisement)
    }

    private func instant(_ milliseconds: Int64) -> Instant { Instant(nanoseconds: milliseconds * 1_000_000) }

    private func isReading(_ outcome: AdvertisementListener.Outcome) -> Bool {
        if case .readings = outcome { true } else { false }
    }

    @Test func `the same bytes are news again after a while, other bytes at once`() {
        var listener = AdvertisementListener(AdvertisementDecoder(address: address))
        let warm: [UInt8] = [0x40, 0x02, 0xCA, 0x09]
        let cold: [UInt8] = [0x40, 0x02, 0xCA, 0x01]
        #expect(isReading(listener.take(packet(warm), at: instant(0))))
        #expect(listener.take(packet(warm), at: instant(3999)) == .nothing)
        #expect(isReading(listener.take(packet(warm), at: instant(4000))))
        #expect(isReading(listener.take(packet(cold), at: instant(4001))))
        #expect(isReading(listener.take(packet(warm), at: instant(4002))))
    }

    @Test func `an obstacle is told once, and again after it was gone`() {
        var listener = AdvertisementListener(AdvertisementDecoder(address: address))
        let plain: [UInt8] = [0x40, 0x02, 0xCA, 0x09]
        let encrypted = { (number: UInt8) -> [UInt8] in [0x41, number, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] }
        #expect(listener.take(packet(encrypted(1)), at: instant(0)) == .obstacle(.noKey))
        #expect(listener.take(packet(encrypted(2)), at: instant(10_000)) == .nothing)
        #expect(isReading(listener.take(packet(plain), at: instant(20_000))))
        #expect(listener.take(packet(encrypted(3)), at: instant(30_000)) == .obstacle(.noKey))
    }

    @Test func `a device that kept to a rhythm is overdue after some beats, one that did not after a day`() throws {
        var steady = AdvertisementListener(AdvertisementDecoder(address: address))
        #expect(steady.deadline == nil)
        for second in 0...120 { _ = steady.take(packet([0x40, 0x01, 0x62]), at: instant(Int64(second) * 1000)) }
        #expect(try #require(steady.deadline) == instant(180_000))
        var button = AdvertisementListener(AdvertisementDecoder(address: address))
        // A burst, as after a press.
        for count in 0...20 { _ = button.take(packet([0x40, 0x3A, 0x01]), at: instant(Int64(count) * 300)) }
        #expect(try #require(button.deadline) == instant(6000 + 86_400_000))
    }
}
