import TestTraits
import Testing

@Suite(.ownThreads) struct AdvertisementCommandTests {
    static let plain = "0201060916d2fc40016402ca09"
    static let encrypted = "0201061216d2fc41a47266c95f730011223378237214"
    static let secret = ["--address", "54:48:E6:8F:80:A5", "--key", "231d39c1d7cc1ab1aee224cd096db932"]

    @Test func `decode prints the reading of an advertisement`() throws {
        let outcome = try Bluefleet.run("decode", "--advertisement", Self.plain)
        #expect(outcome.lines == ["bthome", "battery      100 %", "temperature  25.06 °C"])
        #expect(outcome.status == 0)
        #expect(outcome.error == "")
        let json = try Bluefleet.run("decode", "--json", "--advertisement", Self.plain)
        #expect(json.output == #"{"battery":100,"temperature":25.06}"# + "\n")
    }

    @Test func `a key decrypts an advertisement`() throws {
        let words = ["decode", "--json", "--advertisement", Self.encrypted]
        let opened = #"{"temperature":25.06,"humidity":50.55}"# + "\n"
        #expect(try Bluefleet.run(words + Self.secret).output == opened)
        try Bluefleet.withFile("231d39c1d7cc1ab1aee224cd096db932\n") { path in
            let outcome = try Bluefleet.run(words + Self.secret.prefix(2) + ["--key-file", path])
            #expect(outcome.output == opened)
        }
    }

    @Test(arguments: ["5448E68F80A5", "54-48-e6-8f-80-a5", "54:48:e6:8f:80:a5"])
    func `an address may have colons, hyphens or no separators`(address: String) throws {
        let words = ["decode", "--json", "--advertisement", Self.encrypted] + Self.secret.suffix(2)
        let outcome = try Bluefleet.run(words + ["--address", address])
        #expect(outcome.output == #"{"temperature":25.06,"humidity":50.55}"# + "\n")
    }

    @Test(
        arguments: [
            // Upper case, separated, without flags, filled up with zeros, sent twice.
            plain.uppercased(), "02:01:06:09:16:D2:FC:40:01:64:02:CA:09", "0916d2fc40016402ca09",
            plain + "00000000000000000000", plain + "00", plain + "0916d2fc40016402ca09",
            // With a name, an appearance, a power, a list of services, data of a company and of another service.
            "020af4 03194000 03030a18" + plain + "0409737073 05ff99040102 0416 0f18 55",
            // The same service in 32 bits, and in 128.
            "0b20d2fc000040016402ca09", "1721fb349b5f80000080001000 00d2fc000040016402ca09",
        ])
    func `a payload may be separated, padded, repeated or followed by other structures`(payload: String) throws {
        let outcome = try Bluefleet.run("decode", "--json", "--advertisement", payload)
        #expect(outcome.output == #"{"battery":100,"temperature":25.06}"# + "\n", "\(outcome.error)")
        #expect(outcome.status == 0)
    }

    static let refused: [(words: [String], status: Int32, error: String)] = [
        (["--advertisement", encrypted], 65, "the advertisement is encrypted: give the key of the device"),
        (
            ["--advertisement", encrypted, "--key", "231d39c1d7cc1ab1aee224cd096db932"], 65,
            "decryption needs the address of the device: give it with --address"
        ),
        (
            ["--advertisement", encrypted] + secret.prefix(3) + ["00000000000000000000000000000000"], 65,
            "the key does not decrypt this advertisement"
        ),
        (["--advertisement", plain] + secret, 65, "the device has a key, but this advertisement is not encrypted"),
        (["--advertisement", "020106"], 65, "unknown format"),
        (["--advertisement", "0416d2fc40", "--key", "23"], 64, "--key: expected a key of 32 hexadecimal digits"),
        (
            ["--advertisement", plain, "--key-file", "/nowhere/key"], 69,
            "cannot read /nowhere/key: No such file or directory"
        ),
        (
            ["--advertisement", plain, "--key", "00", "--key-file", "x"], 64,
            "--key and --key-file exclude each other: remove one"
        ),
        (
            ["--advertisement", plain, "--address", "54:48"], 64,
            "expected an address such as C0:00:00:00:00:01, found '54:48'"
        ),
        (["--advertisement", plain, "temperature"], 64, "unexpected argument 'temperature' with --advertisement"),
        (["temperature", "6908"] + secret.prefix(2), 64, "--address requires --advertisement"),
        (["--json"], 64, "missing argument CHARACTERISTIC: "),
    ]

    @Test(arguments: refused)
    func `each failure has its own message and status`(words: [String], status: Int32, error: String) throws {
        let outcome = try Bluefleet.run(["decode"] + words)
        #expect(outcome.status == status)
        #expect(outcome.output == "")
        #expect(outcome.error.hasPrefix("bluefleet decode: \(error)"), "\(outcome.error)")
        #expect(!outcome.error.contains("231d39c1"))
    }

    @Test func `the decodable part is printed even if another part is encrypted`() throws {
        // An encrypted thermometer without its key, and BTHome 1.
        let parts = ["0e16 1a18 c4248138c1a456088318bf", "0d16 1c18 0200b4021000030cbe0b"]
        let outcome = try Bluefleet.run(["decode", "--json", "--advertisement"] + parts)
        #expect(outcome.status == 0)
        #expect(outcome.output == #"{"packet_id":180,"power_on":false,"voltage":3.006}"# + "\n")
        #expect(
            outcome.error == "bluefleet decode: another part of the advertisement is encrypted and was not decoded\n")
    }

    @Test func `a UUID in place of the address is ignored`() throws {
        let words = ["decode", "--address", "61DE521B-F0BF-9F44-64D4-75BBE1738105", "--advertisement"]
        #expect(try Bluefleet.run(words + [Self.plain]).status == 0)
        let outcome = try Bluefleet.run(words + [Self.encrypted, "--key", "231d39c1d7cc1ab1aee224cd096db932"])
        #expect(outcome.status == 65)
        #expect(outcome.error.contains("decryption needs the address of the device"))
    }

    @Test func `the last one of several company identifiers is the newest`() throws {
        let name = "0409737073"
        let (old, new) = ("0aff fc07 c71200c83d5606", "0aff c808 84140088996406")
        let words = ["decode", "--json", "--advertisement", name]
        let (first, second) = (try Bluefleet.run(words + [old, new]), try Bluefleet.run(words + [new, old]))
        #expect(first.output == #"{"temperature":22.48,"humidity":52.52,"ext_probe":false,"battery":100}"# + "\n")
        #expect(second.output == #"{"temperature":20.44,"humidity":48.07,"ext_probe":false,"battery":86}"# + "\n")
    }

    @Test func `a mistake in the data is marked`() throws {
        let outcome = try Bluefleet.run("decode", "--advertisement", "020106", "0616d2fc400164", "0516d2fc4002")
        #expect(
            outcome.error == """
                bluefleet decode: too short: 2 bytes expected up to the end of temperature, 0 found
                  020106 0616d2fc400164 0516d2fc4002
                                                    ^

                """)
        let short = try Bluefleet.run("decode", "--advertisement", "02 01 06 05 16 d2 fc 40 02")
        #expect(
            short.error == """
                bluefleet decode: too short: 2 bytes expected up to the end of temperature, 0 found
                  02 01 06 05 16 d2 fc 40 02
                                            ^

                """)
    }

    @Test func `a mistake in the AD structures is marked`() throws {
        let outcome = try Bluefleet.run("decode", "--advertisement", "02 01 06 09 16 d2 fc 40")
        #expect(outcome.status == 65)
        #expect(
            outcome.error == """
                bluefleet decode: the length at byte 3 is 9, but only 4 bytes follow: give the whole payload, each AD \
                structure with its length and type
                  02 01 06 09 16 d2 fc 40
                           ^

                """)
    }
}

/// `decode --advertisement` with the JSON of `scan --json`.
@Suite(.ownThreads) struct ScannedAdvertisementTests {
    private let thermometer = #"{"address":"C0:00:00:00:00:01","service_data":{"FCD2":"400164 02ca09"}}"#

    @Test func `a device, a list of devices and the whole output of a scan are decoded`() throws {
        let device = thermometer.replacing(" ", with: "")
        let other = #"{"address":"C0:00:00:00:00:02","manufacturer_data":{"0x0499":"00"}}"#
        for text in [device, "[\(device)]", #"{"devices":[\#(device)]}"#] {
            let outcome = try Bluefleet.run("decode", "--json", "--advertisement", text)
            #expect(outcome.status == 0 && outcome.output == "{\"battery\":100,\"temperature\":25.06}\n", "\(outcome)")
        }
        let both = #"{"devices":[\#(other),\#(device)]}"#
        let several = try Bluefleet.run("decode", "--advertisement", both)
        #expect(several.status == 65 && several.error.contains("the JSON contains 2 devices: name one with --address"))
        let one = try Bluefleet.run("decode", "--advertisement", both, "--address", "C0:00:00:00:00:01")
        #expect(one.status == 0 && one.output.contains("25.06"))
    }

    @Test(arguments: [
        ("{}", "expected the JSON of bluefleet scan --json"), ("{\"devices\":[]}", "the JSON contains no device"),
        ("{\"service_data\":{\"FCD2\":\"4\"}}", "service_data: FCD2: expected hexadecimal digits"),
        ("{\"manufacturer_data\":{\"Ruuvi\":\"00\"}}", "expected a company such as 499"), ("{", "JSON"),
    ])
    func `other JSON is bad data`(text: String, message: String) throws {
        let outcome = try Bluefleet.run("decode", "--advertisement", text)
        #expect(outcome.status == 65 && outcome.error.contains(message), "\(outcome.error)")
    }
}
