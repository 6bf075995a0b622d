import Configuration
import Testing

/// Values in another notation, and keys of other programs: the message says what to write.
@Suite struct OtherNotationTests {
    private static func device(_ keys: String) -> String { "devices: {a: {address: C0:00:00:00:00:01, \(keys)}}" }

    private static func characteristic(_ keys: String) -> String {
        device("characteristics: {temperature: {\(keys)}}")
    }

    private static func field(_ keys: String) -> String {
        device("characteristics: {x: {uuid: FFF1, read: 1m, format: [{name: v, \(keys)}]}}")
    }

    private func expect(_ advice: String, about yaml: String) {
        let found = mistakes(in: yaml)
        #expect(found.count == 1 && found.first?.hasSuffix(advice) == true, "\(found)")
    }

    @Test(arguments: [
        ("5 minutes", "write 5m"), ("1h30", "write 90m"), ("1h30m", "write 90m"), ("5m30", "write 330s"),
        ("1.5 h", "write 90m"), ("00:05:00", "write 5m"), ("PT5M", "write 5m"), ("P1DT12H", "write 36h"),
        ("daily", "write 1d"), ("1 month", "write 30d"), ("1y", "write 365d"), ("every 5m", "write 5m"),
        ("1_000s", "write 1000s"), ("1 hour 30 min", "write 90m"), ("{hours: 1, minutes: 30}", "write 90m"),
        ("1:30", "write 90m for hours and minutes, 90s for minutes and seconds"),
        ("100us", "the shortest unit is ms"), ("0.1ms", "the shortest unit is ms"),
        ("forever", "the longest duration is 10000d"), ("-5s", "a duration has no sign"),
        ("off", "write a duration, or remove the key to use its default"), ("minute", "did you mean 1m?"),
        ("m5", "expected a duration such as 30s, 10m or 1h, found 'm5'"),
    ])
    func `a duration`(text: String, advice: String) {
        expect(
            advice, about: Self.device("expect: \(text.contains(":") && !text.hasPrefix("{") ? "\"\(text)\"" : text)"))
    }

    @Test(arguments: [
        ("64 MiB", "did you mean 64MB?"), ("1.5GB", "did you mean 1500MB?"), ("128M", "did you mean 128MB?"),
        ("2 gigabytes", "did you mean 2GB?"), ("128 Mbyte", "did you mean 128MB?"),
        ("500000000", "did you mean 500MB?"),
        ("1TB", "expected a size from 1MB to 10GB, found '1TB'"),
        ("64 KiB", "expected a size from 1MB to 10GB, found '64 KiB'"),
        ("unlimited", "expected a size from 1MB to 10GB, found 'unlimited'"),
    ])
    func `a size`(text: String, advice: String) {
        expect(advice, about: "spool: {size: \(text)}")
    }

    @Test(arguments: [
        ("scale: 1/3", "write 0.3333333333"), ("scale: 10^-2", "write 0.01"), ("scale: 2**-3", "write 0.125"),
        ("scale: value / 10", "write 0.1"), ("scale: /10", "write 0.1"), ("scale: x0.1", "write 0.1"),
        ("scale: 1_000", "write 1000"), ("scale: 0x10", "write 16"), ("offset: −40", "write -40"),
        ("offset: minus 40", "write -40"), ("scale: ½", "write 0.5"),
        ("scale: ten", "expected a number such as 0.5, found 'ten'"),
        ("unknown: 65_535", "write 65535"), ("unknown: \"65,535\"", "write 65535"), ("unknown: 65535.0", "write 65535"),
        ("unknown: 0b1111", "write 15"), ("unknown: 0o17", "write 15"), ("unknown: \"#FFFF\"", "write 65535"),
        ("precision: 0.1", "expected a whole number from 0 to 6, found '0.1'"),
        ("precision: auto", "expected a whole number from 0 to 6, found 'auto'"),
    ])
    func `a number`(key: String, advice: String) {
        expect(advice, about: Self.field("type: uint16, \(key)"))
    }

    @Test(arguments: [
        ("type: uint16, sign: magnitude", "value: \"if(negative, 0 - size, size)\""),
        (
            "type: decimal, base: 16",
            "only decimal digits are a number: write type: utf8, or bytes for hexadecimal digits"
        ),
        ("type: uint16, byteOrder: big", "did you mean 'endian'?"), ("type: uint16, divide-by: 10", "write scale: 0.1"),
        ("type: uint16, map: {0: a}", "did you mean 'values'?"),
        ("type: uint16, invalid: 0xFFFF", "did you mean 'unknown'?"),
        ("type: uint16, round: 1", "did you mean 'precision'?"),
        ("type: uint16, stateClass: total", "did you mean 'state_class'?"),
        ("type: uint16, comment: x", "a key that begins with x- is ignored: write x-comment"),
        ("type: uint16, bits: {open: 0}", "expected the bit first: 0: open"),
        ("type: uint16, bits: {bit3: open}", "did you mean 3?"),
        ("type: uint16, bits: {0x0C: open}", "did you mean 2-3?"),
        ("type: uint16, bits: {\"[0-3]\": open}", "did you mean 0-3?"),
        ("type: uint8, values: {0-9: low}", "for a range, use a formula such as value: \"NAME < 5\""),
        ("type: uint8, values: {default: x}", "a number without a name stays a number"),
        ("type: uint8, values: {true: x}", "found 'true': write 1"),
        ("type: padding", "write the bytes that are ignored as {name: NAME, type: bytes, length: 2, hidden: true}"),
        ("type: crc16", "write the type of its bytes, such as uint16, and checksum: crc16"),
        ("type: percent", "write the type of the bytes, such as uint16, and unit: UNIT"),
        ("type: string(8)", "write type: utf8, length: 8"), ("type: \"uint16[4]\"", "write type: uint16, count: 4"),
        ("type: \">h\"", "write type: sint16, endian: big"),
        ("type: sint12", "bits: {0-11: {name: NAME, signed: true}}"),
        ("type: sbyte", "did you mean 'sint8'?"), ("type: uint16, endian: network", "did you mean 'big'?"),
        ("type: uint8, device_class: none", "unknown device class 'none': remove the key"),
        ("type: boolean, device_class: contact", "did you mean 'opening'?"),
        ("type: uint8, device_class: rain", "did you mean 'precipitation'?"),
        ("type: uint8, state_class: counter", "found 'counter': write total_increasing"),
        ("type: uint8, checksum: crc32c", "write its parameters, such as {width: 16, poly: 0x1021}"),
        ("type: uint8, checksum: modbus", "did you mean 'crc16_modbus'?"),
    ])
    func `a field`(keys: String, advice: String) {
        expect(advice, about: Self.field(keys))
    }

    @Test(arguments: [
        ("connect: persistent", "did you mean 'always'?"), ("connect: 10 minutes", "did you mean 'every 10m'?"),
        ("connect: when-due", "did you mean 'every 10m'?"), ("connect: each 1h30", "did you mean 'every 90m'?"),
        ("retries: 5", "the gateway always tries again: remove the key"),
        ("expire_after: 1h", "did you mean 'expect'?"), ("bind-key: x", "the path of the file into key_file"),
        ("adapter: hci0", "the device is connected through the best one"),
        ("quantities: {temperature: {scale: 2}}", "write adjust: {NAME: value * 2} in the device"),
        ("medium: lpg", "found 'lpg': write propane"), ("publish: {min_interval: 5s}", "write at_most_every"),
        ("publish: {average: {over: 5m, by: avg}}", "found 'avg': write mean"),
        ("publish: {qos: 1}", "it belongs into the characteristic, beside publish"),
    ])
    func `a key of a device`(keys: String, advice: String) {
        expect(advice, about: Self.device("advertisement: true, \(keys)"))
    }

    @Test(arguments: [
        ("read: false", "write never, or remove the key"), ("read: notify", "write subscribe: true"),
        ("read: hourly", "write 1h"), ("write: no response", "write without response"),
        ("read: 1h, uuid: 181A/2A6E", "write service: 181A, uuid: 2A6E for the characteristic of a service"),
        ("read: 1h, uuid: \"2A6E#2\"", "write uuid: 2A6E, instance: 2 for one of several characteristics"),
        (
            "read: 1h, uuid: urn:uuid:6e400003-b5a3-f393-e0a9-e50e24dcca9e",
            "did you mean '6e400003-b5a3-f393-e0a9-e50e24dcca9e'?"
        ),
        ("read: 1h, qos: low", "expected a whole number from 0 to 2, found 'low'"),
        ("read: 1h, readable: true", "write read: on connect"),
    ])
    func `a key of a characteristic`(keys: String, advice: String) {
        expect(advice, about: Self.characteristic(keys))
    }

    @Test(arguments: [
        ("devices: {a: {address: dev_C0_00_00_00_00_01}}", "did you mean C0:00:00:00:00:01?"),
        ("devices: {a: {address: C0:0:0:0:0:1}}", "did you mean C0:00:00:00:00:01?"),
        ("devices: {a: {address: \"C0:00:00:00:00:01 random\"}}", "did you mean C0:00:00:00:00:01?"),
        (
            "devices: {a: {address: 6e400003-b5a3-f393-e0a9-e50e24dcca9e}}",
            "this UUID belongs to another computer; bluefleet scan shows the address"
        ),
        ("mqtt: {passwd: x}", "the path of the file into password_file"),
        ("mqtt: {publish_rate: 50/s}", "write 50, without a unit"),
        ("mqtt: {lwt: true}", "the last will is the topic state of the gateway: remove the key"),
        ("bluetooth: {adapters: all}", "expected a list, or no key for the default, found 'all'"),
        ("bluetooth: {connections: unlimited}", "write auto"), ("bluetooth: {moderation: off}", "write 0ms"),
        ("bluetooth: {scan: passive}", "the gateway scans as its devices need it: remove the key"),
        ("log: off", "found 'off': write error"), ("home_assistant: {discovery: entity}", "write component"),
        ("dashboard: {history: none}", "found 'none': write off"), ("dashboard: {access: readonly}", "write read"),
        ("spool: {keep: everything}", "write all"), ("spool: {enabled: true}", "write keep: all"),
        ("timezone: Europe/Rome", "times are in UTC: remove the key"),
        ("fleet: [{match: {any: true, name: x}, connect: never}]", "write decoded: true for every supported sensor"),
        ("fleet: [{match: {name: x}, connect: never, retry: 5}]", "the gateway always tries again: remove the key"),
    ])
    func `a key of the gateway`(yaml: String, advice: String) {
        expect(advice, about: yaml)
    }

    @Test func `a long text gets no advice`() {
        let text = String(repeating: "every ", count: 10_000) + "5m"
        #expect(mistakes(in: Self.device("expect: \(text)")).allSatisfy { !$0.contains("write") })
    }
}
