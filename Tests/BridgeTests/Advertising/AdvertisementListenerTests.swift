import BlueZ
import Bluetooth
import Codec
import EventLoop
import Testing

@testable import Bridge

/// Which packets are news, and how long a silence may last.
@Suite struct AdvertisementListenerTests {
    private let address = Address(0x5448_E68F_80A5)

    private func packet(_ bytes: [UInt8], battery: UInt8? = nil) -> Sighting {
        var advertisement = Advertisement()
        advertisement.serviceData[UUID(0xFCD2)] = bytes
        advertisement.serviceData[UUID(0x180F)] = battery.map { [$0] }
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

    @Test func `a missing key is told once, whatever else is read in between`() {
        var listener = AdvertisementListener(AdvertisementDecoder(address: address))
        let plain: [UInt8] = [0x40, 0x02, 0xCA, 0x09]
        let encrypted = { (number: UInt8) -> [UInt8] in [0x41, number, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] }
        #expect(listener.take(packet(encrypted(1)), at: instant(0)) == .obstacle(.noKey))
        #expect(listener.take(packet(encrypted(2)), at: instant(10_000)) == .nothing)
        #expect(isReading(listener.take(packet(plain), at: instant(20_000))))
        #expect(listener.take(packet(encrypted(3)), at: instant(30_000)) == .nothing)
    }

    @Test func `a refused part is told once beside those that can be read`() {
        var listener = AdvertisementListener(AdvertisementDecoder(address: address))
        func refusal(of number: UInt8, at milliseconds: Int64) -> AdvertisementError? {
            let sighting = packet([0x41, number, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], battery: number)
            guard case .readings(let readings, let refusal) = listener.take(sighting, at: instant(milliseconds)) else {
                Issue.record("no reading")
                return nil
            }
            #expect(readings.map(\.format) == ["battery"])
            return refusal
        }
        #expect(refusal(of: 90, at: 0) == .noKey)
        #expect(refusal(of: 89, at: 10_000) == nil)
    }

    @Test func `packets that cannot be read are told once, whatever is in them and between them`() {
        var listener = AdvertisementListener(AdvertisementDecoder(address: address))
        func outcome(_ bytes: [UInt8], at seconds: Int64) -> AdvertisementListener.Outcome {
            listener.take(packet(bytes), at: instant(seconds * 1000))
        }
        func isObstacle(_ outcome: AdvertisementListener.Outcome) -> Bool {
            if case .obstacle(.undecodable) = outcome { true } else { false }
        }
        let plain: [UInt8] = [0x40, 0x02, 0xCA, 0x09]
        let bad = { (version: UInt8) -> [UInt8] in [version << 5, 0x01, 0x62] }
        #expect(isObstacle(outcome(bad(1), at: 0)))
        #expect(outcome(bad(3), at: 10) == .nothing)
        #expect(isReading(outcome(plain, at: 20)))
        #expect(outcome(bad(1), at: 30) == .nothing)
        // Something else is wrong.
        #expect(isObstacle(outcome([0x40, 0x02, 0xCA], at: 40)))
        #expect(outcome([0x40, 0x02, 0xCB], at: 45) == .nothing)
        // After a long time without it is news.
        #expect(isReading(outcome(plain, at: 3000)))
        #expect(isObstacle(outcome(bad(1), at: 3640)))
    }

    /// A button of Xiaomi's: product 0x1568, with a counter.
    private func press(_ counter: UInt8, isObject: Bool = true) -> Sighting {
        var advertisement = Advertisement()
        let head: [UInt8] = isObject ? [0x40, 0x50, 0x68, 0x15] : [0x00, 0x50, 0x68, 0x15]
        advertisement.serviceData[UUID(0xFE95)] = head + [counter] + (isObject ? [0x01, 0x10, 3, 0, 0, 0] : [])
        return Sighting(address: address, kind: .public, adapter: "hci0", advertisement: advertisement)
    }

    @Test func `a numbered packet that is heard again tells no other event, however long it is sent`() {
        var listener = AdvertisementListener(AdvertisementDecoder(address: address))
        func repetitions(_ sighting: Sighting, at milliseconds: Int64) -> [Bool] {
            guard case .readings(let readings, _) = listener.take(sighting, at: instant(milliseconds)) else {
                return []
            }
            return readings.map(\.isRepeated)
        }
        #expect(repetitions(press(7), at: 0) == [false])
        // Others without a word in between make it no other one.
        #expect(repetitions(press(7, isObject: false), at: 100) == [])
        #expect(repetitions(press(7), at: 200) == [])
        #expect(repetitions(press(8), at: 300) == [false])
        #expect(repetitions(press(7), at: 400) == [])
        // What it measures is still so, what happened is told.
        for second in 1...20 { #expect(repetitions(press(8), at: Int64(second) * 5000) == [true]) }
        #expect(repetitions(press(9), at: 100_100) == [false])
        // One that does not count is heard again after a pause.
        #expect(repetitions(press(9), at: 111_000) == [false])
        #expect(listener.lastHeard == instant(111_000))
    }

    @Test func `a device that has only a name is known by it, as long as it sends no data`() {
        var listener = AdvertisementListener(AdvertisementDecoder(address: address))
        var advertisement = Advertisement()
        func outcome(at milliseconds: Int64) -> AdvertisementListener.Outcome {
            listener.take(
                Sighting(address: address, kind: .public, adapter: "hci0", advertisement: advertisement),
                at: instant(milliseconds))
        }
        // Its name may come later.
        #expect(outcome(at: 0) == .nothing)
        advertisement.localName = "iTAG"
        #expect(isReading(outcome(at: 4000)))
        #expect(outcome(at: 5000) == .nothing)
        #expect(isReading(outcome(at: 8000)))
        advertisement.serviceData[0x180F] = [90]
        #expect(isReading(outcome(at: 9000)))
        advertisement.serviceData = [:]
        #expect(outcome(at: 20_000) == .nothing)
    }

    @Test(
        arguments: [
            ("button", false, true), ("button_left", false, true), ("dimmer_steps", false, true),
            ("cube", false, true), ("vibration", false, true), ("vibration", true, false), ("motion", false, true),
            ("motion", true, false), ("temperature", false, false), ("buttons", false, false),
        ])
    func `what happens is an event, what lasts is none`(name: String, isTruth: Bool, isEvent: Bool) {
        let value: Value = isTruth ? true : .named("shaken", number: 1)
        let quantity = AdvertisedQuantity(Reading.Member(name: name, value: value), of: "govee_h512x")
        #expect(quantity.isEvent == isEvent)
    }

    @Test func `what a format of one's own calls vibration is a number that lasts`() {
        let member = Reading.Member(name: "vibration", value: .number(Decimal(3)), unit: "mm/s")
        #expect(!AdvertisedQuantity(member, of: "own").isEvent)
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
