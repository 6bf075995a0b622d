import Configuration
import Testing

/// Inputs that are right in another program or language: the message says what to write here.
@Suite struct ElsewhereTests {
    private static func characteristic(_ keys: String) -> String {
        "devices: {a: {address: C0:00:00:00:00:01, characteristics: {temperature: {\(keys)}}}}"
    }

    private static func field(_ keys: String) -> String {
        "devices: {a: {address: C0:00:00:00:00:01, characteristics: {x: {uuid: 2A6E, read: 1m, format: [{name: v, \(keys)}]}}}}"
    }

    @Test(arguments: [
        ("type: short le", "write type: sint16 (little is the default order)"),
        ("type: unsigned short", "did you mean 'uint16'?"), ("type: unsigned", "did you mean 'uint32'?"),
        ("type: unsigned long long", "did you mean 'uint64'?"), ("type: signed char", "did you mean 'uint8'?"),
        ("type: short int", "did you mean 'sint16'?"), ("type: uint16_t", "did you mean 'uint16'?"),
        ("type: unsigned short be", "write type: uint16, endian: big"), ("type: dword", "did you mean 'uint32'?"),
        ("type: f32", "did you mean 'float32'?"), ("type: int", "did you mean 'sint32'?"),
        ("type: float", "did you mean 'float32'?"),
        ("type: uint12", "write type: uint16, bits: {0-11: NAME}"),
        ("type: bit", "write type: uint8 with the key bits, such as bits: {0: contact}, or with the key values"),
        ("type: bcd", "write type: bytes: digits of four bits are hexadecimal digits"),
        ("type: bcd8", "write type: bytes: digits of four bits are hexadecimal digits"),
        ("type: uint8, multiply: 0.1", "unknown key 'multiply': did you mean 'scale'?"),
        ("type: uint16, big_endian: true", "unknown key 'big_endian': write endian: big"),
        ("type: decimal, separator: '2C'", "unknown key 'separator': did you mean 'until'?"),
        (
            "type: timestamp, epoch: 2000-01-01",
            "unknown key 'epoch': write offset: SECONDS, e.g. 946684800 for 2000-01-01"
        ),
        ("type: number, value: 'v * 1,8'", "before ',8' in 'v * 1,8': write a decimal point: 1.8"),
        ("type: uint16, scale: 1/10", "found '1/10': write 0.1"),
        ("type: uint16, scale: '0,1'", "found '0,1': use a decimal point: 0.1"),
        ("type: uint16, scale: 0.1 °C", "found '0.1 °C': write 0.1, without a unit"),
        ("type: number, value: 'v // 2'", "before '/ 2' in 'v // 2': write floor(a / b)"),
        ("type: number, value: 'Math.sqrt(v)'", "unknown function 'Math.sqrt': write sqrt"),
        ("type: number, value: 'fabs(v)'", "unknown function 'fabs': write abs"),
        ("type: number, value: 'round(v; 2)'", "write ',' between values"),
        ("type: number, value: '{{ v }}'", "write the formula without braces"),
        ("type: number, value: v > 3 ? 1 : 0", "a value with '?' needs quotes: value: \"…\""),
    ])
    func `a field says what to write`(keys: String, advice: String) {
        let found = mistakes(in: Self.field(keys))
        #expect(found.count == 1 && found.first?.hasSuffix(advice) == true, "\(found)")
    }

    @Test(arguments: [
        ("log: {level: debug}", "found a mapping: write debug"), ("log: trace", "found 'trace': write debug"),
        ("log: INFO", "did you mean 'info'?"), ("mqtt: {protocol: v5}", "found 'v5': write 5"),
        ("home_assistant: {discovery: true}", "found 'true': write device"),
        ("home_assistant: {discovery: off}", "found 'off': write none"),
        ("devices: {a: {address: C0:00:00:00:00:01, connect: true}}", "did you mean 'always'?"),
        ("devices: {a: {address: C0:00:00:00:00:01, connect: passive}}", "did you mean 'never'?"),
        ("devices: {a: {address: C0:00:00:00:00:01, connect: {every: 10m}}}", "found a mapping: write every 10m"),
        ("devices: {a: {address: C0:00:00:00:00:01, pair: 1}}", "found '1': write true"),
        ("devices: {a: {address: C0:00:00:00:00:01, publish: 5m}}", "found '5m': write {at_most_every: 5m}"),
        (
            "devices: {a: {address: C0:00:00:00:00:01, publish: {every: 5m}}}",
            "unknown key 'every': write at_most_every"
        ),
        ("devices: {a: {address: C0:00:00:00:00:01, publish: {deadband: 1%}}}", "found '1%': write 1, without a unit"),
        (
            "profiles: {p: {connect: never}}\ndevices: {a: {address: C0:00:00:00:00:01, profile: [p]}}",
            "write p, without the list"
        ),
        ("fleet: [{match: {rssi: 85, name: x}}]", "found 85: write -85"),
        (
            "fleet: [{device: sensors/{address}, match: {name: x}}]",
            "a '{' in a value needs quotes: device: \"sensors/{address}\""
        ),
        ("fleet: [{match: {mac: C0:*}}]", "unknown key 'mac': did you mean 'address'?"),
        ("fleet: [{match: {name: x}, device: \"s/{mac}\"}]", "unknown placeholder 'mac': did you mean {address}?"),
        ("gateway: *", "a value cannot start with '*': put the text in quotes"),
        ("device: {a: {address: C0:00:00:00:00:01}}", "unknown key 'device': did you mean 'devices'?"),
        ("profile: {a: {connect: never}}", "unknown key 'profile': did you mean 'profiles'?"),
        ("devices: {a: {address: C0:00:00:00:00:01, expect: 2w}}", "found '2w': write 14d"),
        ("devices: {a: {address: C0:00:00:00:00:01, connect: every hour}}", "found 'hour': did you mean 1h?"),
        ("devices: {a: {address: C0:00:00:00:00:01, keep: yes}}", "found 'yes': write all"),
        ("devices: {a: {address: C0:00:00:00:00:01, publish: {payload: raw}}}", "found 'raw': write value"),
        ("devices: {a: {address: C0:00:00:00:00:01, publish: {on_change: never}}}", "found 'never': write false"),
        ("spool: {size: 100}", "found '100': did you mean 100MB?"),
        ("spool: {size: 1 GiB}", "found '1 GiB': did you mean 1GB?"),
        ("mqtt: {url: https://a}", "unknown scheme 'https': write mqtts://"),
        (
            "fleet: [{match: {name: x}, device: {address}_x, connect: never}]",
            "a '{' in a value needs quotes: device: \"{address}_x\""
        ),
        (
            "fleet:\n- match: {name: x}\n  device: {address}/x\n",
            "a '{' in a value needs quotes: device: \"{address}/x\""
        ),
        ("fleet: [{match: {name: x}, device: {name}}]", "found a mapping: put the text in quotes: \"{name}\""),
        ("{mqtt: {url: mqtt://a}, // the broker\ndevices: {}}", "a comment begins with #, not with //"),
        (
            "devices: {a: {address: C0:00:00:00:00:01, adjust: {temperature: -0.5}}}",
            "the formula '-0.5' gives each value the same number: write value - 0.5"
        ),
        (
            "devices: {a: {address: C0:00:00:00:00:01, adjust: {temperature: {offset: -0.5}}}}",
            "expected a formula such as value - 0.4, found a mapping"
        ),
        ("dashboard: {listen: 8080}", "found '8080': write 127.0.0.1:8080"),
        ("bluetooth: {hci: hci0}", "unknown key 'hci': did you mean 'adapters'?"),
        (
            "mqtt: {client_id: x}",
            "unknown key 'client_id': it is derived from the name of the gateway: write gateway: NAME"
        ),
        ("devices: {a: {address: C0:00:00:00:00:01, room: x}}", "unknown key 'room': did you mean 'area'?"),
        (characteristic("read: {interval: 10s}"), "found a mapping: write 10s"),
        (characteristic("subscribe: notify"), "found 'notify': write true"),
        (characteristic("uuid: 0xFF"), "found '0xFF': did you mean '00FF'?"),
        (
            characteristic("uuid: \"{6e400003-b5a3-f393-e0a9-e50e24dcca9e}\""),
            "did you mean '6e400003-b5a3-f393-e0a9-e50e24dcca9e'?"
        ),
        (characteristic("format: [{skip: 2}]"), "such as {name: skip, type: bytes, length: 2, hidden: true}"),
        (characteristic("format: [{bytes: 2}]"), "a field such as {name: NAME, type: bytes, length: 2}"),
        (characteristic("format: [{constant: '03'}]"), "a field such as \"03\""),
        ("fleet: [{match: {services: Heart Rate}}]", "expected a list such as [181A], found 'Heart Rate'"),
        (field("type: uint8, bits: {\"0..3\": x}"), "found '0..3': did you mean 0-3?"),
    ])
    func `a key says what to write`(yaml: String, advice: String) {
        let found = mistakes(in: yaml)
        #expect(found.count == 1 && found.first?.hasSuffix(advice) == true, "\(found)")
    }

    @Test(arguments: [
        ("subscribe: true, unit: °F", "unit converts nothing: the values are in °C"),
        ("read: 1h, uuid: 181A", "181A is the service environmental_sensing, not a characteristic"),
        ("read: 1h, service: 2A6E", "2A6E is the characteristic temperature, not a service"),
    ])
    func `a value that is hardly meant causes a warning`(keys: String, warning: String) throws {
        let configuration = try Configuration(yaml: Self.characteristic(keys))
        #expect(configuration.warnings.contains { $0.message.hasPrefix(warning) }, "\(configuration.warnings)")
    }

    @Test func `the length of a name is checked before its characters`() {
        let name = String(repeating: "a/", count: 20_000) + "+"
        #expect(TopicName.problem(inDeviceName: name)?.contains("is longer than 255 bytes") == true)
        #expect(TopicName.problem(inCharacteristicName: name)?.contains("is longer than 255 bytes") == true)
        #expect(TopicName.problem(inDeviceName: "bridge/a")?.contains("reserved") == true)
    }
}
