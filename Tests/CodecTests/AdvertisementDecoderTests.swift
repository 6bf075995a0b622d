import Bluetooth
import Codec
import JSON
import Testing

@Suite struct AdvertisementDecoderTests {
    static let address = Address("54:48:E6:8F:80:A5")
    static let key = AdvertisementKey("231d39c1d7cc1ab1aee224cd096db932")

    /// Temperature 25.06 °C and humidity 50.55 %, encrypted with this key and the counter 0x33221100.
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

    @Test func `a reading of MiBeacon contains the product, one of BTHome does not`() throws {
        var decoder = AdvertisementDecoder(address: Self.address, key: Self.key)
        #expect(try decoder.decode(Self.service(0xFE95, "4050 5B05 07 0A10 01 5F")).readings.map(\.product) == [0x055B])
        #expect(try decoder.decode(Self.encrypted).readings.map(\.product) == [nil])
    }

    @Test func `the product of MiBeacon determines the model`() {
        let maker = AdvertisementFormat.maker(of: "mibeacon", product: 0x055B)
        #expect(maker == .init(manufacturer: "Xiaomi", model: "LYWSD03MMC", modelID: "0x055B"))
        #expect(AdvertisementFormat.maker(of: "mibeacon", product: 0x0098)?.model == "HHCCJCY01")
        let unknown = AdvertisementFormat.maker(of: "mibeacon", product: 0x1)
        #expect(unknown == .init(manufacturer: "Xiaomi", model: nil, modelID: "0x0001"))
        #expect(AdvertisementFormat.maker(of: "mibeacon") == .init(manufacturer: "Xiaomi", model: nil))
    }

    @Test func `AdvertisementDecoder distinguishes a missing key, a wrong key and a missing address`() throws {
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

    @Test func `AdvertisementDecoder returns the readable parts and the error of an encrypted part`() throws {
        var advertisement = Self.encrypted
        advertisement.serviceData[0x180F] = [90]
        var decoder = AdvertisementDecoder(address: Self.address)
        let contents = try decoder.decode(advertisement)
        #expect(contents.readings.map(\.format) == ["battery"])
        #expect(contents.refusal == .noKey)
    }

    @Test func `AdvertisementDecoder recognizes a device by its name only if no part can be read`() throws {
        var advertisement = Advertisement()
        advertisement.localName = "Tile"
        var decoder = AdvertisementDecoder()
        #expect(try decoder.decode(advertisement).readings.map(\.format) == ["tile"])
        advertisement.serviceData[0x180F] = [90]
        #expect(try decoder.decode(advertisement).readings.map(\.format) == ["battery"])
    }

    @Test func `AdvertisementDecoder rejects changed bytes`() throws {
        let bytes = try #require(Self.encrypted.serviceData[0x181E])
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 0x10
            #expect(error(Self.service(0x181E, changed.hexadecimal), address: Self.address, key: Self.key) == .wrongKey)
        }
    }

    @Test func `AdvertisementKey has 16 or 12 bytes and is not printed`() throws {
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

    @Test func `AdvertisementDecoder rejects an unencrypted packet of a device with a key`() {
        #expect(error(Self.service(0xFCD2, "4002ca09"), address: Self.address, key: Self.key) == .notEncrypted)
        #expect(error(Self.service(0x181C, "2302ca09"), address: Self.address, key: Self.key) == .notEncrypted)
    }

    @Test(arguments: [
        Self.service(0x181A, "5448e68f80a500ca2d580bb801"),
        Self.service(0xFE95, "5020aa01daa5808fe648540d1004fe004802"), Self.service(0x180F, "5a"),
    ])
    func `AdvertisementDecoder rejects unencrypted packets of every format once the device has encrypted`(
        packet: Advertisement
    ) throws {
        var decoder = AdvertisementDecoder(address: Self.address, key: Self.key)
        #expect(try !decoder.decode(packet).readings.isEmpty)
        #expect(throws: Never.self) { try decoder.decode(Self.encrypted) }
        #expect(throws: AdvertisementError.notEncrypted) { try decoder.decode(packet) }
        var later = AdvertisementDecoder(address: Self.address, key: Self.key)
        later.restore(counters: ["bthome_1": 5000], restarts: [:])
        #expect(throws: AdvertisementError.notEncrypted) { try later.decode(packet) }
    }

    @Test func `AdvertisementDecoder accepts unencrypted packets of a configured format`() throws {
        let own = AdvertisementFormat(
            AdvertisementFormat.own, AdvertisementMatch(.service(0x1234)), [.number("level", .uint8)])
        var decoder = AdvertisementDecoder(address: Self.address, key: Self.key, formats: [own])
        #expect(try decoder.decode(Self.service(0x1234, "05")).readings.map(\.format) == [AdvertisementFormat.own])
    }

    @Test func `AdvertisementDecoder rejects an older counter, but not an equal or a restarted one`() throws {
        // MiBeacon version 5: the frame counters are 0x76 and 0x75, the extended counters 0x0026F3 and 0x0026A1.
        let key = AdvertisementKey("0fdcc30fe9289254876b5ef7c11ef1f0")
        let newer = Self.service(0xFE95, "585989189a67e56638c1a49dd97af3260000c8a60bd5")
        let older = Self.service(0xFE95, "585989187567e56638c1a469ddf3a1260000a24a1b45")
        var decoder = AdvertisementDecoder(key: key)
        _ = try decoder.decode(older)
        _ = try decoder.decode(newer)
        _ = try decoder.decode(newer)
        #expect(throws: AdvertisementError.replayed) { try decoder.decode(older) }
        // A later decoder continues with the counters of an earlier one.
        var later = AdvertisementDecoder(key: key)
        later.restore(counters: decoder.counters, restarts: decoder.restarts)
        #expect(throws: AdvertisementError.replayed) { try later.decode(older) }
    }

    @Test func `AdvertisementDecoder accepts a switch of EnOcean only with its signature and a rising counter`() throws
    {
        // The example of the PTM 215B User Manual 2.2, C.3.1: button B1 is pressed, counter 0x45D.
        let address = Address("E2:15:00:00:19:B8")
        let key = AdvertisementKey("3DDA31AD44767AE3CE56DCE2B3CE2ABB")
        func packet(_ hex: String) throws -> Advertisement {
            var advertisement = Advertisement()
            advertisement.manufacturerData[0x03DA] = try HexadecimalText(hex).bytes
            return advertisement
        }
        var decoder = AdvertisementDecoder(address: address, key: key)
        let readings = try decoder.decode(packet("5D04000011B2FA88FF")).readings
        #expect(readings.map(\.reading) == [.fields([.init(name: "button", value: .named("b1_press", number: 17))])])
        // Another status with the same signature, and an earlier packet with its own signature.
        #expect(throws: AdvertisementError.wrongKey) { try decoder.decode(packet("5D04000010B2FA88FF")) }
        #expect(throws: AdvertisementError.replayed) { try decoder.decode(packet("5C04000010D5E8471D")) }
        #expect(error(try packet("5D04000011B2FA88FF"), address: address, key: nil) == .noKey)
    }

    @Test func `AdvertisementDecoder accepts a sensor of EnOcean only with its signature`() throws {
        // The example of the STM 550B / EMSIB User Manual 1.3, A.1, with the key of A.2.
        let address = Address("E5:00:77:01:00:00")
        let key = AdvertisementKey("4DB34DB3070EFC6713FE39E13CF3C939")
        func packet(_ hex: String) throws -> Advertisement {
            var advertisement = Advertisement()
            advertisement.manufacturerData[0x03DA] = try HexadecimalText(hex).bytes
            return advertisement
        }
        var decoder = AdvertisementDecoder(address: address, key: key)
        let example = "FB270000 0268 458D01 404209 0657 8AF791E65E 2301 0F0157D3"
        let readings = try decoder.decode(packet(example)).readings
        #expect(
            readings.map(\.reading.value) == [
                ["energy_level": 52, "illuminance": 397, "temperature": 23.7, "humidity": 43.5]
            ])
        let warmer = "FB270000 0268 458D01 404309 0657 8AF791E65E 2301 0F0157D3"
        #expect(throws: AdvertisementError.wrongKey) { try decoder.decode(packet(warmer)) }
        #expect(error(try packet(example), address: address, key: nil) == .noKey)
    }

    @Test func `AdvertisementDecoder accepts a low counter once a day`() throws {
        // The packets have the key and the contents of `encrypted`, and the counters 5000, 4000, 50 and 60.
        let packets = [
            5000: "646551603a3a343588130000de357033", 4000: "babf53d1300b4c5da00f00003d4c8a7c",
            50: "f21d98a38738e81b32000000a1f44ed0", 60: "51ff0b43854deac93c0000008a9f9dfd",
        ]
        var decoder = AdvertisementDecoder(address: Self.address, key: Self.key)
        func isAccepted(_ counter: Int, after hours: Int) throws -> Bool {
            do throws(AdvertisementError) {
                _ = try decoder.decode(Self.service(0x181E, packets[counter] ?? ""), at: .seconds(hours * 3600))
                return true
            } catch {
                #expect(error == .replayed)
                return false
            }
        }
        #expect(try isAccepted(5000, after: 0))
        #expect(try !isAccepted(4000, after: 1))
        #expect(try isAccepted(50, after: 2))
        #expect(try isAccepted(5000, after: 3))
        #expect(try !isAccepted(60, after: 4))
        // After a restart of the program.
        var later = AdvertisementDecoder(address: Self.address, key: Self.key)
        later.restore(counters: decoder.counters, restarts: decoder.restarts)
        decoder = later
        #expect(try !isAccepted(60, after: 5))
        #expect(try isAccepted(60, after: 26))
    }

    @Test func `AdvertisementDecoder treats an equal packet number as a repetition for 4 s`() throws {
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

    @Test func `AdvertisementDecoder reports a truncated or unknown advertisement`() {
        #expect(
            error(Self.service(0xFCD2, "4002ca"), address: nil, key: nil)
                == .undecodable(.tooShort(field: "temperature", expected: 2, found: 1)))
        #expect(
            error(Self.service(0xFCD2, "2002ca09"), address: nil, key: nil)?.description.contains("version") == true)
        #expect(error(Advertisement(), address: nil, key: nil) == .unknown)
        #expect(error(Self.service(0x1234, "00"), address: nil, key: nil) == .unknown)
    }

    @Test func `AdvertisementDecoder tries the formats of the configuration first`() throws {
        let own = AdvertisementFormat(
            "tank", AdvertisementMatch(.company(0x0499), startingWith: "05", lengths: 3...3),
            [.number("kind", .uint8), Field.number("level", .uint16).bigEndian])
        var advertisement = Advertisement()
        advertisement.manufacturerData[0x0499] = [5, 1, 2]
        var decoder = AdvertisementDecoder(formats: [own])
        let readings = try decoder.decode(advertisement).readings
        #expect(readings.map(\.format) == ["tank"])
        #expect(Value.record(readings[0].reading.payload) == ["kind": 5, "level": 258])
    }

    @Test func `AdvertisementDecoder reads all parts of an advertisement`() throws {
        var advertisement = Self.service(0xFCD2, "400164")
        advertisement.manufacturerData[0x004C] = [UInt8](hexadecimal: "0215fda50693a4e24fb1afcfc6eb0764782500010002d8")
        var decoder = AdvertisementDecoder()
        #expect(try decoder.decode(advertisement).readings.map(\.format) == ["bthome", "ibeacon"])
    }

    @Test(
        arguments: [
            ("bthome", ["battery": 93, "temperature_1": 25.06, "temperature_2": 21.5, "button": "long_press"]),
            ("bthome", ["text": "Hello", "raw": .bytes([1, 2]), "mass": 70.5, "firmware_version": "1.2.3.4"]),
            (
                "bthome",
                ["power_on": true, "temperature": -7.7, "count": 70000, "timestamp": "2023-05-14T19:41:17+00:00"]
            ),
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
    func `AdvertisementFormat encodes an advertisement`(name: String, value: Value) throws {
        let format = try #require(Advertisements.all.first { $0.name == name }).format
        let bytes = try format.encode(value)
        guard case .record(let record) = value, case .record(let found) = try format.decode(bytes).value else {
            Issue.record("no record")
            return
        }
        for member in record {
            let back = found[member.name]
            #expect(back?.description == member.value.description, "\(member.name): \(back?.description ?? "missing")")
        }
    }

    @Test(arguments: Advertisements.all)
    func `the table contains no contradiction`(format: AdvertisementFormat) throws {
        try format.format.validate()
    }
}
