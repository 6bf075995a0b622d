import Bluetooth
import Codec
import Testing

@Suite struct AdvertisementDecoderTests {
    static let address = Address("54:48:E6:8F:80:A5")
    static let key = AdvertisementKey("231d39c1d7cc1ab1aee224cd096db932")

    /// Temperature 25.06 °C and humidity 50.55 %, encrypted with that key, with a counter of 0x33221100.
    static let encrypted = service(0x181E, "fba435e4d3c312fb0011223357d90a99")

    private static func service(_ uuid: UUID, _ hex: String) -> Advertisement {
        var advertisement = Advertisement()
        advertisement.serviceData[uuid] = [UInt8](hexadecimal: hex)
        return advertisement
    }

    private func error(_ advertisement: Advertisement, address: Address?, key: AdvertisementKey?) -> AdvertisementError?
    {
        var decoder = AdvertisementDecoder(address: address, key: key)
        return #expect(throws: AdvertisementError.self) { try decoder.decode(advertisement) }
    }

    @Test func `no key, a wrong key and no address are different answers`() throws {
        var decoder = AdvertisementDecoder(address: Self.address, key: Self.key)
        let readings = try decoder.decode(Self.encrypted).readings
        #expect(readings.map(\.format) == ["bthome_1_encrypted"])
        #expect(Value.record(readings[0].reading.payload) == ["temperature": 25.06, "humidity": 50.55])

        #expect(error(Self.encrypted, address: Self.address, key: nil) == .noKey)
        #expect(error(Self.encrypted, address: nil, key: Self.key) == .noAddress)
        #expect(error(Self.encrypted, address: Address(1), key: Self.key) == .wrongKey)
        #expect(
            error(Self.encrypted, address: Self.address, key: AdvertisementKey(String(repeating: "01", count: 16)))
                == .wrongKey)
        #expect(
            error(Self.encrypted, address: Self.address, key: AdvertisementKey(String(repeating: "01", count: 12)))
                == .keyLength(12))
    }

    @Test func `a missing key is told beside what can be read`() throws {
        var advertisement = Self.encrypted
        advertisement.serviceData[0x180F] = [90]
        var decoder = AdvertisementDecoder(address: Self.address)
        let contents = try decoder.decode(advertisement)
        #expect(contents.readings.map(\.format) == ["battery"])
        #expect(contents.refusal == .noKey)
    }

    @Test func `a device with only a name is known by it, unless it says more`() throws {
        var advertisement = Advertisement()
        advertisement.localName = "Tile"
        var decoder = AdvertisementDecoder()
        #expect(try decoder.decode(advertisement).readings.map(\.format) == ["tile"])
        advertisement.serviceData[0x180F] = [90]
        #expect(try decoder.decode(advertisement).readings.map(\.format) == ["battery"])
    }

    @Test func `what was changed on its way does not open`() throws {
        let bytes = try #require(Self.encrypted.serviceData[0x181E])
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 0x10
            #expect(error(Self.service(0x181E, changed.hexadecimal), address: Self.address, key: Self.key) == .wrongKey)
        }
    }

    @Test func `a key has 16 bytes, or 12, and shows itself to nobody`() throws {
        let key = try #require(AdvertisementKey("231d39c1 d7cc1ab1 aee224cd 096db932"))
        #expect(key == Self.key)
        #expect(AdvertisementKey("b853075158487ca39a5b5ea9") != nil)
        for text in ["", "231d", "231d39c1d7cc1ab1aee224cd096db93", "231d39c1d7cc1ab1aee224cd096db93g"] {
            #expect(AdvertisementKey(text) == nil)
        }
        for text in ["\(key)", String(reflecting: key), "\(Optional(key) as Any)"] { #expect(!text.contains("35")) }
        var dumped = ""
        dump(key, to: &dumped)
        #expect(!dumped.contains("35"))
    }

    @Test func `a device with a key is not believed without`() {
        #expect(error(Self.service(0xFCD2, "4002ca09"), address: Self.address, key: Self.key) == .notEncrypted)
        #expect(error(Self.service(0x181C, "2302ca09"), address: Self.address, key: Self.key) == .notEncrypted)
    }

    @Test func `an old packet is refused, the same and a restarted one are not`() throws {
        // Versions 5 of MiBeacon: the frame counters are 0x76 and 0x75, the extended ones 0x0026F3 and 0x0026A1.
        let key = AdvertisementKey("0fdcc30fe9289254876b5ef7c11ef1f0")
        let newer = Self.service(0xFE95, "585989189a67e56638c1a49dd97af3260000c8a60bd5")
        let older = Self.service(0xFE95, "585989187567e56638c1a469ddf3a1260000a24a1b45")
        var decoder = AdvertisementDecoder(key: key)
        _ = try decoder.decode(older)
        _ = try decoder.decode(newer)
        _ = try decoder.decode(newer)
        #expect(throws: AdvertisementError.replayed) { try decoder.decode(older) }
    }

    @Test func `a packet number stands for one packet for four seconds`() throws {
        var decoder = AdvertisementDecoder()
        func packet(_ number: UInt8) -> Advertisement { Self.service(0xFCD2, "4000" + [number].hexadecimal + "0164") }
        _ = try decoder.decode(packet(9), at: .seconds(10))
        #expect(throws: AdvertisementError.repeated) { try decoder.decode(packet(9), at: .seconds(11)) }
        #expect(throws: AdvertisementError.repeated) { try decoder.decode(packet(8), at: .seconds(12)) }
        _ = try decoder.decode(packet(10), at: .seconds(13))
        _ = try decoder.decode(packet(10), at: .seconds(18))
        _ = try decoder.decode(packet(255), at: .seconds(30))
        _ = try decoder.decode(packet(0), at: .seconds(31))
    }

    @Test func `a truncated or unknown advertisement says so`() {
        #expect(
            error(Self.service(0xFCD2, "4002ca"), address: nil, key: nil)
                == .undecodable(.tooShort(field: "temperature", expected: 2, found: 1)))
        #expect(
            error(Self.service(0xFCD2, "2002ca09"), address: nil, key: nil)?.description.contains("version") == true)
        #expect(error(Advertisement(), address: nil, key: nil) == .unknown)
        #expect(error(Self.service(0x1234, "00"), address: nil, key: nil) == .unknown)
    }

    @Test func `a user's own format comes first`() throws {
        var level = Field("level", .uint16)
        level.endian = .big
        let own = AdvertisementFormat(
            "tank", AdvertisementMatch(.company(0x0499), startingWith: "05", lengths: 3...3),
            [Field("kind", .uint8), level])
        var advertisement = Advertisement()
        advertisement.manufacturerData[0x0499] = [5, 1, 2]
        var decoder = AdvertisementDecoder(formats: [own])
        let readings = try decoder.decode(advertisement).readings
        #expect(readings.map(\.format) == ["tank"])
        #expect(Value.record(readings[0].reading.payload) == ["kind": 5, "level": 258])
    }

    @Test func `all parts of an advertisement are read`() throws {
        var advertisement = Self.service(0xFCD2, "400164")
        advertisement.manufacturerData[0x004C] = [UInt8](hexadecimal: "0215fda50693a4e24fb1afcfc6eb0764782500010002d8")
        var decoder = AdvertisementDecoder()
        #expect(try decoder.decode(advertisement).readings.map(\.format) == ["bthome", "ibeacon"])
    }

    @Test(
        arguments: [
            ("bthome", ["battery": 93, "temperature_1": 25.06, "temperature_2": 21.5, "button": "long_press"]),
            ("bthome", ["text": "Hello", "raw": .bytes([1, 2]), "mass": 70.5, "firmware_version": "1.2.3.4"]),
            ("bthome", ["power": true, "temperature": -7.7, "count": 70000, "timestamp": "2023-05-14T19:41:17+00:00"]),
            (
                "ruuvi_5",
                [
                    "format": 5, "temperature": 24.3, "humidity": 53.49, "pressure": 1000.44, "acceleration_x": 0.004,
                    "acceleration_y": -0.004, "acceleration_z": 1.036, "voltage": 2.977, "tx_power": 4,
                    "movement_counter": 66, "sequence": 205, "mac": "CB:B8:33:4C:88:4F",
                ]
            ),
            (
                "ibeacon",
                [
                    "uuid": "fda50693-a4e2-4fb1-afcf-c6eb07647825", "major": 1, "minor": 2, "tx_power": -40,
                ]
            ),
            ("eddystone_url", ["frame": "URL", "tx_power": -20, "url": "https://www.example.com/a.org"]),
            (
                "qingping",
                ["mac": "58:2D:34:40:01:4C", "temperature": 27.1, "humidity": 64.8, "battery": 92]
            ),
        ] as [(String, Value)])
    func `an advertisement can be written`(name: String, value: Value) throws {
        let format = try #require(Advertisements.all.first { $0.name == name }).format
        let bytes = try format.encode(value)
        guard case .record(let record) = value, case .record(let found) = try format.decode(bytes).value else {
            Issue.record("no record")
            return
        }
        for member in record.members {
            let back = found[member.name]
            #expect(back?.description == member.value.description, "\(member.name): \(back?.description ?? "missing")")
        }
    }

    @Test(arguments: Advertisements.all)
    func `the table contradicts itself nowhere`(format: AdvertisementFormat) throws {
        try format.format.validate()
    }
}
