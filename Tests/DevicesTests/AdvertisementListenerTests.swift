import Bluetooth
import Codec
import System
import Testing

@testable import Contract
@testable import Devices

/// New and repeated advertisements, and the tolerated silence.
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

    @Test func `equal data is new again after 4 seconds, other data at once`() {
        let listener = AdvertisementListener(AdvertisementDecoder(address: address))
        let warm: [UInt8] = [0x40, 0x02, 0xCA, 0x09]
        let cold: [UInt8] = [0x40, 0x02, 0xCA, 0x01]
        #expect(isReading(listener.receive(packet(warm), at: instant(0))))
        #expect(listener.receive(packet(warm), at: instant(3999)) == .nothing)
        #expect(isReading(listener.receive(packet(warm), at: instant(4000))))
        #expect(isReading(listener.receive(packet(cold), at: instant(4001))))
        #expect(isReading(listener.receive(packet(warm), at: instant(4002))))
    }

    @Test func `AdvertisementListener counts the restarts of a packet counter`() throws {
        let key = try #require(AdvertisementKey("231d39c1d7cc1ab1aee224cd096db932"))
        let listener = AdvertisementListener(AdvertisementDecoder(address: address, key: key))
        // The counters are 4000, 5000, 50 and 60: the last one is lower for a second time within a day.
        let packets = [
            "babf53d1300b4c5da00f00003d4c8a7c", "646551603a3a343588130000de357033", "f21d98a38738e81b32000000a1f44ed0",
            "51ff0b43854deac93c0000008a9f9dfd", "f21d98a38738e81b32000000a1f44ed0",
        ]
        let counts = packets.enumerated().map { index, packet in
            var advertisement = Advertisement()
            advertisement.serviceData[UUID(0x181E)] = [UInt8](hexadecimal: packet)
            let sighting = Sighting(address: address, kind: .public, adapter: "hci0", advertisement: advertisement)
            _ = listener.receive(sighting, at: instant(Int64(index) * 10_000))
            return listener.restartCount
        }
        #expect(counts == [0, 0, 1, 1, 1])
        #expect(listener.counters.refused == 1)
    }

    @Test
    func `a new owner rejects packets from before the counters of the former one, unless it has received the device`()
        throws
    {
        let key = try #require(AdvertisementKey("231d39c1d7cc1ab1aee224cd096db932"))
        func encrypted(_ hex: String) -> Sighting {
            var advertisement = Advertisement()
            advertisement.serviceData[UUID(0x181E)] = [UInt8](hexadecimal: hex)
            return Sighting(address: address, kind: .public, adapter: "hci0", advertisement: advertisement)
        }
        // The counters are 4000 and 5000.
        let (older, newer) = (
            encrypted("babf53d1300b4c5da00f00003d4c8a7c"), encrypted("646551603a3a343588130000de357033")
        )
        let former = AdvertisementListener(AdvertisementDecoder(address: address, key: key))
        #expect(isReading(former.receive(newer, at: instant(0))))
        let new = AdvertisementListener(AdvertisementDecoder(address: address, key: key))
        new.follow(counters: former.packetCounters, at: instant(0))
        #expect(new.receive(older, at: instant(1)) == .obstacle(.replayed))
        #expect(isReading(new.receive(newer, at: instant(2))))
        // This gateway has received the device: the counters of the former owner are older.
        let following = AdvertisementListener(AdvertisementDecoder(address: address, key: key))
        #expect(isReading(following.receive(older, at: instant(0))))
        following.follow(counters: former.packetCounters.mapValues { $0 + 1000 }, at: instant(1000))
        #expect(isReading(following.receive(newer, at: instant(5000))))
    }

    @Test func `a missing key is reported once, even between decodable advertisements`() {
        let listener = AdvertisementListener(AdvertisementDecoder(address: address))
        let plain: [UInt8] = [0x40, 0x02, 0xCA, 0x09]
        let encrypted = { (number: UInt8) -> [UInt8] in [0x41, number, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] }
        #expect(listener.receive(packet(encrypted(1)), at: instant(0)) == .obstacle(.noKey))
        #expect(listener.receive(packet(encrypted(2)), at: instant(10_000)) == .nothing)
        #expect(isReading(listener.receive(packet(plain), at: instant(20_000))))
        #expect(listener.receive(packet(encrypted(3)), at: instant(30_000)) == .nothing)
    }

    @Test func `an undecodable part is reported once, and the others are decoded`() {
        let listener = AdvertisementListener(AdvertisementDecoder(address: address))
        func refusal(of number: UInt8, at milliseconds: Int64) -> AdvertisementError? {
            let sighting = packet([0x41, number, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], battery: number)
            guard case .readings(let readings, let refusal) = listener.receive(sighting, at: instant(milliseconds))
            else {
                Issue.record("no reading")
                return nil
            }
            #expect(readings.map(\.format) == ["battery"])
            return refusal
        }
        #expect(refusal(of: 90, at: 0) == .noKey)
        #expect(refusal(of: 89, at: 10_000) == nil)
    }

    @Test func `undecodable advertisements are reported once per cause`() {
        let listener = AdvertisementListener(AdvertisementDecoder(address: address))
        func outcome(_ bytes: [UInt8], at seconds: Int64) -> AdvertisementListener.Outcome {
            listener.receive(packet(bytes), at: instant(seconds * 1000))
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
        // Another cause is reported.
        #expect(isObstacle(outcome([0x40, 0x02, 0xCA], at: 40)))
        #expect(outcome([0x40, 0x02, 0xCB], at: 45) == .nothing)
        // After an hour without it, a cause is reported again.
        #expect(isReading(outcome(plain, at: 3000)))
        #expect(isObstacle(outcome(bad(1), at: 3640)))
    }

    /// An advertisement of a Xiaomi button: product 0x1568, with a counter.
    private func press(_ counter: UInt8, isObject: Bool = true) -> Sighting {
        var advertisement = Advertisement()
        let head: [UInt8] = isObject ? [0x40, 0x50, 0x68, 0x15] : [0x00, 0x50, 0x68, 0x15]
        advertisement.serviceData[UUID(0xFE95)] = head + [counter] + (isObject ? [0x01, 0x10, 3, 0, 0, 0] : [])
        return Sighting(address: address, kind: .public, adapter: "hci0", advertisement: advertisement)
    }

    @Test func `a repeated counter is the same event at any time`() {
        let listener = AdvertisementListener(AdvertisementDecoder(address: address))
        func repetitions(_ sighting: Sighting, at milliseconds: Int64) -> [Bool] {
            guard case .readings(let readings, _) = listener.receive(sighting, at: instant(milliseconds)) else {
                return []
            }
            return readings.map(\.isRepeated)
        }
        #expect(repetitions(press(7), at: 0) == [false])
        // Advertisements without an object do not make the counter new.
        #expect(repetitions(press(7, isObject: false), at: 100) == [])
        #expect(repetitions(press(7), at: 200) == [])
        #expect(repetitions(press(8), at: 300) == [false])
        #expect(repetitions(press(7), at: 400) == [])
        // The measured values remain, the event counts as repeated.
        for second in 1...20 { #expect(repetitions(press(8), at: Int64(second) * 5000) == [true]) }
        #expect(repetitions(press(9), at: 100_100) == [false])
        // Advertisements without a counter are new after the lifetime.
        #expect(repetitions(press(9), at: 111_000) == [false])
        #expect(listener.silence?.begin == instant(111_000))
    }

    @Test func `the name of a device is decoded as long as it sends no data`() {
        let listener = AdvertisementListener(AdvertisementDecoder(address: address))
        var advertisement = Advertisement()
        func outcome(at milliseconds: Int64) -> AdvertisementListener.Outcome {
            listener.receive(
                Sighting(address: address, kind: .public, adapter: "hci0", advertisement: advertisement),
                at: instant(milliseconds))
        }
        // The name may arrive later.
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
    func `a momentary quantity is an event, a lasting one is not`(name: String, isTruth: Bool, isEvent: Bool) {
        let value: Value = isTruth ? true : .named("shaken", number: 1)
        let quantity = AdvertisedQuantity(Reading.Member(name: name, value: value), of: "govee_h512x")
        #expect(quantity.isEvent == isEvent)
    }

    @Test func `vibration in a configured format is not an event`() {
        let member = Reading.Member(name: "vibration", value: .number(Decimal(3)), unit: "mm/s")
        #expect(!AdvertisedQuantity(member, of: "own").isEvent)
    }

    @Test func `a device with a rhythm is overdue after five intervals, without one after a day`() throws {
        let steady = AdvertisementListener(AdvertisementDecoder(address: address))
        #expect(steady.silence == nil)
        for second in 0...120 { _ = steady.receive(packet([0x40, 0x01, 0x62]), at: instant(Int64(second) * 1000)) }
        #expect(try #require(steady.silence).deadline == instant(180_000))
        #expect(try #require(steady.silence).end == instant(300_000))
        let button = AdvertisementListener(AdvertisementDecoder(address: address))
        // A burst of advertisements, as after a press.
        for count in 0...20 { _ = button.receive(packet([0x40, 0x3A, 0x01]), at: instant(Int64(count) * 300)) }
        #expect(try #require(button.silence).deadline == instant(6000 + 86_400_000))
    }

    @Test func `a device whose key no longer fits is not heard, although an earlier run accepted its advertisements`()
        throws
    {
        let listener = AdvertisementListener(AdvertisementDecoder(address: address))
        listener.restore(
            AdvertiserMemory(lastAccepted: instant(0), interval: nil, isSilent: false), at: instant(10_000))
        #expect(listener.silence != nil)
        let encrypted = packet([0x41, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09])
        #expect(listener.receive(encrypted, at: instant(20_000)) == .obstacle(.noKey))
        #expect(listener.silence == nil)
        // The next run must know the same.
        #expect(listener.memory(at: instant(30_000))?.lastAccepted == instant(0))
        _ = listener.receive(packet([0x40, 0x01, 0x62]), at: instant(40_000))
        #expect(listener.silence?.begin == instant(40_000))
        // Another sender can use the address: once one advertisement was accepted, refused ones do not count.
        _ = listener.receive(encrypted, at: instant(50_000))
        #expect(listener.silence?.begin == instant(40_000))
    }

    @Test func `the configured longest silence replaces the learned one`() throws {
        let listener = AdvertisementListener(AdvertisementDecoder(address: address), expected: .seconds(600))
        for second in 0...120 { _ = listener.receive(packet([0x40, 0x01, 0x62]), at: instant(Int64(second) * 1000)) }
        let silence = try #require(listener.silence)
        #expect(silence.deadline == instant(720_000))
        #expect(silence.end == instant(1_920_000))
    }

    @Test func `a device whose advertisements are all refused is not heard`() throws {
        let listener = AdvertisementListener(AdvertisementDecoder(address: address))
        let encrypted = packet([0x41, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09])
        for second in 0...20 { _ = listener.receive(encrypted, at: instant(Int64(second) * 1000)) }
        #expect(listener.silence == nil)
        #expect(listener.refusal == .noKey)
        #expect(listener.counters == AdvertisementCounters(received: 21, decoded: 0, refused: 6))
        // An advertisement that is accepted ends this.
        _ = listener.receive(packet([0x40, 0x01, 0x62]), at: instant(30_000))
        #expect(listener.refusal == nil)
        #expect(try #require(listener.silence).begin == instant(30_000))
    }

    /// A device that has advertised once a second for two minutes, and is silent 60 s later.
    private func steadyDevice() -> AdvertisementListener {
        let listener = AdvertisementListener(AdvertisementDecoder(address: address))
        for second in 0...120 { _ = listener.receive(packet([0x40, 0x01, 0x62]), at: instant(Int64(second) * 1000)) }
        return listener
    }

    @Test func `the time without Bluetooth is no silence`() throws {
        let listener = steadyDevice()
        listener.bluetoothChanged(isOn: false, at: instant(130_000))
        listener.bluetoothChanged(isOn: false, at: instant(400_000))
        listener.bluetoothChanged(isOn: true, at: instant(500_000))
        #expect(try #require(listener.silence).deadline == instant(560_000))
        // Another adapter is plugged in.
        listener.bluetoothChanged(isOn: true, at: instant(540_000))
        #expect(try #require(listener.silence).deadline == instant(560_000))
    }

    @Test func `a device that was silent before Bluetooth was off stays silent until it is heard`() throws {
        let listener = steadyDevice()
        listener.bluetoothChanged(isOn: false, at: instant(190_000))
        listener.bluetoothChanged(isOn: true, at: instant(191_000))
        #expect(try #require(listener.silence).deadline == instant(180_000))
        _ = listener.receive(packet([0x40, 0x01, 0x62]), at: instant(192_000))
        #expect(try #require(listener.silence).deadline > instant(192_000))
    }

    @Test func `the first state of Bluetooth makes no silent device available`() throws {
        func started(isSilent: Bool) throws -> Silence {
            let listener = AdvertisementListener(AdvertisementDecoder(address: address))
            listener.restore(
                AdvertiserMemory(lastAccepted: instant(0), interval: .seconds(2), isSilent: isSilent),
                at: instant(600_000))
            listener.bluetoothChanged(isOn: false, at: instant(600_010))
            listener.bluetoothChanged(isOn: true, at: instant(610_000))
            return try #require(listener.silence)
        }
        #expect(try started(isSilent: true).deadline == instant(60_000))
        // The time to be heard begins when Bluetooth is on.
        #expect(try started(isSilent: false).deadline == instant(670_000))
        #expect(try started(isSilent: false).begin == instant(0))
    }

    @Test func `a restart makes no silent device available, and gives the others time to be heard`() throws {
        let interval = Duration.seconds(2)
        func restored(isSilent: Bool) throws -> Silence {
            let listener = AdvertisementListener(AdvertisementDecoder(address: address))
            listener.restore(
                AdvertiserMemory(lastAccepted: instant(0), interval: interval, isSilent: isSilent), at: instant(600_000)
            )
            return try #require(listener.silence)
        }
        #expect(
            try restored(isSilent: true) == Silence(begin: instant(0), deadline: instant(60_000), end: instant(180_000))
        )
        #expect(try restored(isSilent: false).deadline == instant(660_000))
        #expect(try restored(isSilent: false).end == instant(660_000))
    }
}
