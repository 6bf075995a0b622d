import Bluetooth
import Codec
import Configuration
import Testing

@Suite struct ValueTests {
    private func characteristic(_ keys: String) throws -> Configuration.Characteristic {
        let configuration = try Configuration(yaml: ConfigurationTests.characteristic(keys))
        return try #require(configuration.devices.first?.characteristics.first)
    }

    @Test(arguments: [
        "1800": "1800", "2E19": "2E19", "0x181A": "181A", "\"180f\"": "180F", "battery": "180F", "0180": "0180",
    ])
    func `a UUID is parsed from its text, even if it looks like a number`(_ text: String, _ uuid: String) throws {
        #expect(try characteristic("service: \(text)").service?.description == uuid)
    }

    @Test(arguments: [
        ("500ms", Duration.milliseconds(500)), ("30s", .seconds(30)), ("10m", .seconds(600)), ("1h", .seconds(3600)),
        ("7d", .seconds(604_800)), ("2592000000ms", .seconds(2_592_000)), ("10000d", .seconds(864_000_000)),
    ])
    func `a duration has one of the units ms, s, m, h and d`(_ text: String, _ duration: Duration) throws {
        #expect(try Duration(text: text) == duration)
        #expect(try characteristic("read: \(text)").read == .every(duration))
    }

    @Test(arguments: [
        ("pair: true", true), ("pair: true, renew_bond: false", false),
        ("pair: true, characteristics: {temperature: {read: 1h}}", true),
        ("pair: true, characteristics: {temperature: {write: true}}", false),
        ("pair: true, characteristics: {temperature: {write: true}}, renew_bond: true", true),
        ("pair: true, characteristics: {temperature: {write: without response}}, passkey_file: /k", true),
        ("pair: true, characteristics: {temperature: {write: true}}, passkey_file: /k, renew_bond: false", false),
    ])
    func `a bond is renewed by default unless an impostor could receive what is written`(
        keys: String, renews: Bool
    ) throws {
        let text = "devices: {a: {address: C0:00:00:00:00:01, \(keys)}}"
        #expect(try Configuration(yaml: text, file: "bluefleet.yaml").devices[0].renewsBond == renews)
    }

    @Test(arguments: [
        "\u{202E}", "\u{200B}", "\u{2066}", "\u{FEFF}", "\u{2028}", "\u{AD}", "\u{34F}", "\u{115F}", "\u{180E}",
        "\u{3164}", "\u{FFA0}", "\u{FE0F}", "\u{200D}", "\u{E0041}", "\u{2800}",
    ])
    func `an invisible character that makes a text look like another one is a mistake`(character: String) {
        #expect(TopicName.problem(inDeviceName: "lock\(character)2") != nil)
        #expect(throws: (any Error).self) {
            try Configuration(
                yaml: "devices: {a: {address: C0:00:00:00:00:01, title: \"x\(character)y\"}}", file: "bluefleet.yaml")
        }
    }

    @Test func `characters that join letters or emoji are allowed in names`() {
        #expect(TopicName.problem(inDeviceName: "می\u{200C}خانه") == nil)
        #expect(TopicName.problem(inDeviceName: "kids 👨\u{200D}👧") == nil)
        #expect(TopicName.problem(inDeviceName: "freezer 1\u{FE0F}\u{20E3} ❄\u{FE0F}") == nil)
    }

    @Test func `moderation defaults to 5 ms and can be switched off`() throws {
        #expect(try Configuration(yaml: "{}").bluetooth.moderation == .milliseconds(5))
        #expect(try Configuration(yaml: "bluetooth: {moderation: 0ms}").bluetooth.moderation == .zero)
    }

    @Test func `the keys read and write accept their words`() throws {
        #expect(try characteristic("read: on connect").read == .onConnect)
        #expect(try characteristic("write: true").write == .withResponse)
        #expect(try characteristic("write: without response").write == .withoutResponse)
        #expect(try characteristic("write: reliable").write == .reliable)
        #expect(try characteristic("write: false").write == nil)
        #expect(try characteristic("write: True").write == .withResponse)
        #expect(try characteristic("write: FALSE").write == nil)
    }

    @Test func `a host name that is invalid in topics becomes a valid gateway name`() {
        #expect(TopicName.ofGateway(onHost: "attic-2.local") == "attic-2.local")
        #expect(TopicName.ofGateway(onHost: "at+tic/#") == "at_tic__")
        #expect(TopicName.ofGateway(onHost: "a/b") == "a_b")
        #expect(TopicName.ofGateway(onHost: "--") == "gateway")
    }

    @Test func `without discovery, the prefix of Home Assistant is free for topics`() throws {
        let yaml = "mqtt: {prefix: ha}\nhome_assistant: {discovery: none, prefix: ha}"
        #expect(try Configuration(yaml: yaml).broker.prefix == "ha")
    }

    @Test(arguments: [
        ("unit: s, format: [{name: a, type: uint8}, {name: b, type: uint8}]", ["unit"]),
        (
            "unit: s, device_class: duration, format: [{name: a, type: uint8, bits: {0: b, 1: c}}]",
            ["unit", "device_class"]
        ),
        ("device_class: door, format: [{name: a, type: utf8}]", ["device_class"]),
        ("device_class: door, format: [{name: a, type: boolean}]", []),
        ("unit: s, device_class: duration, format: [{name: a, type: uint8}]", []),
        ("unit: s, format: [{name: a, type: uint8}]", []),
        ("unit: s, device_class: duration", []),
        ("format: [{name: a, type: utf8, state_class: total, precision: 1}]", ["state_class", "precision"]),
        ("format: [{name: a, type: uint8, values: {0: b}, device_class: door}]", ["device_class"]),
        ("format: [{name: a, type: uint8, device_class: door}, {name: b, type: boolean, device_class: door}]", []),
    ])
    func `a key without effect causes a warning`(keys: String, idle: [String]) throws {
        let yaml = ConfigurationTests.characteristic("subscribe: true, " + keys)
        let configuration = try Configuration(yaml: yaml, file: "f")
        let warnings = configuration.warnings.map(\.description)
        #expect(warnings.count == idle.count)
        for (warning, key) in zip(warnings, idle) { #expect(warning.contains(": \(key) has no effect here: ")) }
    }

    @Test(arguments: [("1ms", true), ("99ms", true), ("100ms", false), ("1h", false), ("on connect", false)])
    func `an interval of reads that is too short causes a warning`(interval: String, isWarned: Bool) throws {
        let yaml = ConfigurationTests.characteristic("read: \(interval)")
        let warnings = try Configuration(yaml: yaml).warnings.map(\.message)
        #expect(warnings.contains { $0.contains("it is read every 100ms") } == isWarned)
    }

    @Test(arguments: [
        ("unit: bar, device_class: temperature", "expected a unit of the Home Assistant class temperature"),
        ("unit: kWh, device_class: energy, state_class: measurement", "(total_increasing or total), found measurement"),
        ("device_class: temperatur", "did you mean 'temperature'?"),
        ("state_class: increasing", "expected measurement, total, measurement_angle or total_increasing"),
        ("precision: 7", "from 0 to 6"), ("bits: {0: b}, precision: 1", "belong to the single bits"),
    ])
    func `wrong classes of a field are mistakes`(keys: String, message: String) throws {
        let yaml = ConfigurationTests.characteristic("subscribe: true, format: [{name: a, type: uint8, \(keys)}]")
        let mistakes = #expect(throws: ConfigurationError.self) { try Configuration(yaml: yaml, file: "f") }
        #expect(mistakes?.description.contains(message) == true, "\(mistakes?.description ?? "")")
    }

    @Test(arguments: [("1e60", false), ("1e61", true), ("-1e-400", true)])
    func `a number with an exponent beyond 60 is a mistake`(number: String, isMistake: Bool) throws {
        let yaml = ConfigurationTests.characteristic("format: [{name: a, type: uint8, offset: \(number)}]")
        let mistakes = ConfigurationTests.mistakes(in: yaml).map(\.description)
        #expect(mistakes.contains { $0.contains("from -60 to 60, found '\(number)'") } == isMistake)
    }

    @Test(arguments: [
        ("url: mqtt://192.168.1.2, username: me, password_file: /p", true),
        ("url: \"mqtt://[2001:db8::1]\", password_file: /p", true),
        ("url: mqtts://192.168.1.2, password_file: /p", false), ("url: mqtt://192.168.1.2", false),
        ("url: mqtt://localhost, password_file: /p", false), ("url: mqtt://127.0.0.2, password_file: /p", false),
        ("url: mqtt://core-mosquitto, password_file: /p", false),
    ])
    func `a password that crosses the network without encryption causes a warning`(keys: String, isWarned: Bool) throws
    {
        let warnings = try Configuration(yaml: "mqtt: {\(keys)}").warnings.map(\.message)
        #expect(warnings.contains { $0.contains("without encryption: use mqtts://") } == isWarned)
    }

    @Test(arguments: [
        ("publish: {payload: value, at_most_every: 1m}, characteristics: {temperature: {read: 1h}}", ["44: publish"]),
        ("publish: {payload: value}, advertisement: {company: 1, format: [{name: a, type: uint8}]}", []),
        ("publish: {payload: value}, key_file: /key", []),
        ("publish: {payload: value}, connect: never", []),
        (
            "connect: never, pair: true, quiet: 1m, within: 5s, hold: 1s",
            ["57: pair", "70: quiet", "82: within", "92: hold"]
        ),
        ("connect: on demand, pair: true, quiet: 1m, within: 5s, hold: 1s", []),
        ("profile: link, connect: never", []),
        ("profile: silent, hold: 1s", ["58: hold"]), ("connect: always, hold: 1s", ["58: hold"]),
        ("profile: link, connect: never, hold: 2s", ["72: hold"]),
        (
            "quantities: {moisture: {title: a}}, characteristics: {temperature: {read: 1h}}", ["47: quantities"]
        ), ("quantities: {a: {title: a}}, key_file: /key", []),
    ])
    func `a key without effect causes a warning only in the device's own entry`(keys: String, idle: [String]) throws {
        let profiles = "profiles: {link: {pair: true, hold: 1s, publish: {payload: value}}, silent: {connect: never}}\n"
        let configuration = try Configuration(yaml: profiles + device(keys), file: "f")
        let warnings = configuration.warnings.map(\.description).filter { $0.contains("has no effect") }
        #expect(warnings.count == idle.count)
        for (warning, place) in zip(warnings, idle) { #expect(warning.hasPrefix("f:3:\(place) has no effect here: ")) }
    }

    @Test(arguments: [
        ("advertisement: true", true), ("advertisement: false", true), ("hold: 1s", true),
        ("characteristics: {temperature: {read: 1h}}", false), ("connect: never", true),
        ("advertisement: {company: 1, format: [{name: a, type: uint8}]}", true), ("key_file: /key", true),
    ])
    func `the advertisements are read on request, and if nothing else or a key is configured`(
        keys: String, isRead: Bool
    ) throws {
        #expect(try Configuration(yaml: device(keys)).devices.first?.listensToAdvertisements == isRead)
    }

    @Test(arguments: [
        ("url: mqtt://10.0.0.1, ca_file: /ca", ["39: ca_file has no effect without TLS: write mqtts:// in url"]),
        ("url: mqtt://localhost, ca_file: /ca", []),
        ("url: unix:///run/m.sock, ca_file: /ca", []),
        ("url: mqtts://localhost, ca_file: /ca, cert_file: /c, key_file: /k", []),
        (
            "url: mqtt://localhost, cert_file: /c, key_file: /k",
            ["42: cert_file has no effect without TLS: write mqtts:// in url"]
        ),
        ("password_file: /p", ["23: most brokers require a user name with the password: add username"]),
        ("username: me, password_file: /p", []),
    ])
    func `an incomplete login or a certificate without TLS causes a warning`(keys: String, expected: [String]) throws {
        #expect(try warnings("mqtt: {\(keys)}") == expected.map { "1:\($0)" })
    }

    @Test(arguments: [("10ms", true), ("999ms", true), ("1s", false), ("10m", false)])
    func `sessions that follow each other at once cause a warning`(interval: String, isWarned: Bool) throws {
        let yaml = device("connect: every \(interval), characteristics: {temperature: {read: on connect}}")
        #expect(try warnings(yaml).contains { $0.contains("\(interval) is shorter than a session takes") } == isWarned)
    }

    @Test(arguments: [
        ("“attic”", ["1:10: the quotation marks are part of the text: write straight quotation marks: \" or '"]),
        ("\"“attic”\"", []), ("attic", []),
    ])
    func `typographic quotation marks around a text cause a warning`(text: String, expected: [String]) throws {
        #expect(try warnings("gateway: \(text)") == expected)
    }

    /// The warnings about a configuration.
    private func warnings(_ yaml: String) throws -> [String] {
        try Configuration(yaml: yaml, file: "f").warnings.map { String($0.description.dropFirst("f:".count)) }
    }

    @Test(arguments: [
        ("Celsius", "°C"), ("\u{2103}", "°C"), ("percent", "%"), ("kwh", "kWh"), ("HPA", "hPa"), ("lux", "lx"),
        ("ug/m3", "μg/m³"), ("mbars", "mbar"), ("grad", "rad"),
    ])
    func `an unknown unit causes a warning with the nearest unit`(unit: String, nearest: String) throws {
        let yaml = ConfigurationTests.characteristic(
            "subscribe: true, format: [{name: f, type: utf8, unit: \"\(unit)\"}]")
        #expect(try warnings(yaml) == ["5:55: unknown unit '\(unit)': did you mean '\(nearest)'?"])
    }

    @Test(arguments: ["°C", "\u{B5}g/m³", "bpm", "pulses", "pH", "Nm", "bar", "gₙ", "step/min", "x"])
    func `a known unit, or one of its own, causes no warning`(unit: String) throws {
        let yaml = ConfigurationTests.characteristic(
            "subscribe: true, unit: \(unit), format: [{name: f, type: uint8}]")
        #expect(try warnings(yaml).isEmpty)
    }

    @Test func `a characteristic that nothing uses causes one warning, also in a profile of several devices`() throws {
        let profiled = """
            profiles: {p: {characteristics: {temperature: }}}
            devices:
              a: {address: C0:00:00:00:00:01, profile: p}
              b: {address: C0:00:00:00:00:02, profile: p}
              c: {address: C0:00:00:00:00:03, profile: p, characteristics: {temperature: {read: 1h}}}
            """
        #expect(
            try warnings(profiled) == [
                "1:34: nothing uses 'temperature' except requests: add subscribe: true, read: on connect or write: true"
            ])
    }

    @Test func `a fleet rule for the address of a listed device causes a warning`() throws {
        let yaml = """
            devices: {a: {address: C0:00:00:00:00:01, connect: never}}
            fleet:
              - {match: {address: C0:00:00:00:00:02}, connect: never}
              - {match: {address: c0:00:00:00:00:01}, connect: never}
            """
        #expect(
            try warnings(yaml) == [
                "4:23: this rule has no effect: device 'a' in line 1 has the address C0:00:00:00:00:01"
            ])
    }

    @Test func `a unit that the default device class does not allow causes a warning`() throws {
        func warnings(_ unit: String) throws -> [String] {
            try self.warnings(device("characteristics: {temperature: {read: 1h, unit: \(unit)}}"))
        }
        #expect(try warnings("°C").isEmpty)
        let fahrenheit = try warnings("°F")
        #expect(fahrenheit.count == 1 && fahrenheit[0].contains("unit converts nothing"))
        #expect(
            try warnings("lx") == [
                "2:83: expected a unit of the Home Assistant class temperature (K, °C, °F), found lx; the entity is announced without a device class"
            ])
    }

    @Test func `numbers are parsed exactly`() throws {
        let rules = try characteristic("publish: {deadband: 0.1, payload: value, on_change: true, at_most_every: 1s}")
            .publish
        #expect(rules.deadband == Decimal(1, exponent: -1))
        #expect(rules.payload == .value)
        #expect(rules.onChange)
        #expect(rules.atMostEvery == .seconds(1))
    }

    @Test(
        arguments: [("+0.5", 0.5), (".5", 0.5), ("-.5", -0.5), ("0.5", 0.5), ("0", 0), ("+2e3", 2000)]
            as [(String, Decimal)])
    func `a number has the form of YAML 1.2`(_ text: String, _ number: Decimal) throws {
        let format = try characteristic("format: [{name: f, type: uint8, offset: \(text)}]").format
        #expect(format?.fields.first?.meaning?.offset == number)
    }

    @Test func `a format contains all properties of its fields`() throws {
        let format = try characteristic(
            """
            format:
             [{name: flags, type: uint8, bits: {0: contact, 1-3: mode}},
              {name: level, type: sint16, endian: big, scale: 0.01, offset: -40, unit: °C, unknown: [0x7FFF, -32768]},
              {name: state, type: uint8, values: {0: off, 1: on}, unknown: 255, when: contact},
              {name: label, type: utf8, length: 4, when: [contact, not mode]},
              {name: samples, type: uint16, count: rest}]
            """
        ).format
        let fields = try #require(format).fields
        #expect(fields[0].bits == [BitField("contact", 0...0), BitField("mode", 1...3)])
        var level = Number(.sint16, endian: .big)
        (level.scale, level.offset, level.unknown) = (0.01, -40, [0x7FFF, -32768])
        #expect(fields[1].content == .number(level))
        #expect(fields[1].unit == "°C")
        #expect(fields[2].meaning?.values == NamedValues([0: "off", 1: "on"]))
        #expect(fields[2].meaning?.unknown == [255])
        #expect(fields[2].when == [Condition("contact")])
        #expect(fields[3].content == .text(.utf8, .little, length: 4))
        #expect(fields[3].when == [Condition("contact"), Condition("mode", equals: 0)])
        #expect(fields[4].count == .toTheEnd)
    }

    @Test func `a device can define its own advertisement format`() throws {
        let yaml = """
            devices:
              tank:
                address: C0:00:00:00:00:01
                connect: never
                advertisement: {company: 0x0499, starts_with: "05", length: 2, format: [{name: a, type: uint8}, {name: b, type: uint8}]}
            """
        let device = try #require(try Configuration(yaml: yaml).devices.first)
        var advertisement = Advertisement()
        advertisement.manufacturerData[0x0499] = [5, 7]
        var decoder = AdvertisementDecoder(formats: device.advertisements)
        #expect(try decoder.decode(advertisement).readings.map(\.reading.value) == [["a": 5, "b": 7]])
        advertisement.manufacturerData[0x0499] = [6, 7]
        #expect(throws: AdvertisementError.unknown) { try decoder.decode(advertisement) }
    }

    @Test(arguments: [
        ("op = set_position", "op = 3"), ("op == set_position", "op = 3"), ("op != start", "op != 1"),
        ("mode = fast", "mode = 1"), ("op = 0x3", "op = 3"),
    ])
    func `a condition names a value of an earlier field or bit`(named: String, number: String) throws {
        func format(_ condition: String) throws -> Format? {
            let fields = """
                [{name: op, type: uint8, values: {1: start, 3: set_position}},
                 {name: flags, type: uint8, bits: {0-1: {name: mode, values: {1: fast}}}},
                 {name: position, type: uint8, when: "\(condition)"}]
                """.replacing("\n", with: "")
            let yaml = ConfigurationTests.characteristic("read: 1h, format: \(fields)")
            return try Configuration(yaml: yaml, file: "f").devices[0].characteristics[0].format
        }
        #expect(try format(named) == format(number))
    }

    @Test func `keys that begin with x- are ignored everywhere`() throws {
        let yaml = """
            x-note: {a: 1}
            devices: {x-ray: {address: "C0:00:00:00:00:01", x-note: [1], characteristics: {temperature: {x-a: 1, read: 1h}}}}
            """
        let configuration = try Configuration(yaml: yaml, file: "f")
        #expect(configuration.devices.map(\.name) == ["x-ray"])
        #expect(configuration.warnings.isEmpty)
    }

    @Test func `a format supports formulas, counts and checksums`() throws {
        let format = try characteristic(
            """
            format:
             [{name: flags, type: uint16,
               bits: {0: has_points, 1-2: mode, 4-15: {name: level, signed: true, scale: 0.5}}},
              {name: length, type: uint8, hidden: true}, {name: label, type: utf8, length: length},
              {name: total, type: uint8, hidden: true},
              {name: points, type: record, count: total, when: has_points,
               fields: [{name: x, type: sint8}, {name: y, type: sint8}]},
              {name: area, type: number, value: "level * 2 - 1", unit: m², when: [mode != 3, mode == 0]},
              {name: checksum, type: uint8, checksum: xor, hidden: true, optional: true}]
            """
        ).format
        let bytes: [UInt8] = [0xF1, 0xFF, 2, 0x61, 0x62, 2, 1, 0xFF, 2, 0xFE]
        let checksum = bytes.reduce(0, ^)
        let reading = try #require(format).decode(bytes + [checksum])
        let expected: Value = [
            "has_points": true, "mode": 0, "level": -0.5, "label": "ab",
            "points": [["x": 1, "y": -1], ["x": 2, "y": -2]], "area": -2,
        ]
        #expect(reading.value == expected)
        #expect(try #require(format).encode(expected) == bytes)
    }

    @Test func `a cluster has the addresses of its nodes, and the name of the first one`() throws {
        let broker = try Configuration(yaml: "mqtt: {url: [mqtt://a, mqtt://b:1884]}").broker
        #expect(broker.nodes.endpoints == [.tcp(host: "a", port: 1883), .tcp(host: "b", port: 1884)])
        #expect(broker.nodes.url == "mqtt://a:1883, mqtt://b:1884" && broker.nodes.name == "mqtt://a:1883")
        let longer = try Configuration(yaml: "mqtt: {url: [mqtt://c, mqtt://b:1884]}").broker.nodes
        #expect(longer.nameSameBroker(as: broker.nodes))
        #expect(!longer.nameSameBroker(as: BrokerNodes(.tcp(host: "a", port: 1883))))
    }

    @Test(arguments: [
        ("mqtt://broker", BrokerEndpoint.tcp(host: "broker", port: 1883)),
        ("mqtt://10.0.0.1:1884/", .tcp(host: "10.0.0.1", port: 1884)),
        ("MQTTS://[2001:db8::1]:8884", .tls(host: "2001:db8::1", port: 8884)),
        ("mqtt://[fe80::1%eth0]", .tcp(host: "fe80::1%eth0", port: 1883)),
        ("mqtts://broker", .tls(host: "broker", port: 8883)),
        ("unix:///run/mosquitto.sock", .socket(path: "/run/mosquitto.sock")),
    ])
    func `a URL contains protocol, host and port`(_ url: String, _ endpoint: BrokerEndpoint) throws {
        #expect(try BrokerEndpoint(url: url) == endpoint)
    }

    @Test(arguments: [
        ("Sensor*", "Sensor 1", true), ("Sensor*", "sensor 1", false), ("*", "", true), ("?", "", false),
        ("a*b*c", "a-b-b-c", true), ("a*b*c", "a-b-b", false), ("*b", "aab", true), ("a?c", "abc", true),
        ("", "a", false), ("", "", true), ("a**", "a", true),
    ])
    func `Glob matches texts with * and ?`(_ pattern: String, _ text: String, _ matches: Bool) {
        #expect(Glob(pattern).matches(text) == matches)
    }

    @Test func `an advertised name cannot add levels to a topic`() throws {
        let pattern = try DeviceNamePattern("fleet/{name}-{address}")
        let address = try #require(Address("C0:00:00:00:00:01"))
        #expect(pattern.name(for: address, localName: "a/+#$\u{0}b") == "fleet/a_____b-C0:00:00:00:00:01")
        #expect(pattern.name(for: address, localName: "##") == "fleet/C0:00:00:00:00:01-C0:00:00:00:00:01")
        #expect(pattern.name(for: address, localName: nil) == "fleet/C0:00:00:00:00:01-C0:00:00:00:00:01")
    }
}
