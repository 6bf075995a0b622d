import Configuration
import Testing

@Suite struct MistakeTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let yaml: String
        let mistakes: [String]

        init(_ yaml: String, _ mistakes: String...) {
            self.yaml = yaml
            self.mistakes = mistakes
        }

        var testDescription: String { yaml }
    }

    @Test(
        arguments: Self.general + Self.frequent + Self.devices + Self.values + Self.characteristics + Self.formats
            + Self.advertisements + Self.fleet + Self.questions + Self.ciphers + Self.advertisers)
    func `each mistake is reported at its position`(_ row: Case) {
        #expect(mistakes(in: row.yaml) == row.mistakes)
    }

    private static let keys =
        "gateway, state_directory, log, mqtt, home_assistant, bluetooth, spool, dashboard, share, profiles, devices, fleet, "
        + "advertisers"

    static let general = [
        Case("gatway: x", "1:1: unknown key 'gatway': did you mean 'gateway'?"),
        Case(
            "colour: x",
            "1:1: unknown key 'colour': known: " + keys),
        Case("gateway: a\ngateway: b", "2:1: duplicate key 'gateway': the first is in line 1; remove one of them"),
        Case("gateway: a\n---\ngateway: b", "3:1: duplicate key 'gateway': the first is in line 1; remove one of them"),
        Case("gateway: a/b", "1:10: the name of a gateway must not contain '/'"),
        Case("gateway: \"a/\\u0301b\"", "1:10: the name of a gateway must not contain '/'"),
        Case("gateway: [a]", "1:10: expected text, found a list: write a, without the list"),
        Case("log: warn", "1:6: expected debug, info, warning or error, found 'warn': did you mean 'warning'?"),
        Case("- a", "1:1: expected a mapping such as {devices: {…}}, found a list"),
        Case(
            "devices: [{address: C0:00:00:00:00:01}]",
            "1:10: expected NAME: {address: C0:00:00:00:00:01}, found a list: remove the \"-\" or the brackets, and use the "
                + "name as the key"),
        Case("mqtt: 5", "1:7: expected a mapping such as {url: mqtt://localhost:1883}, found '5'"),
        Case("mqtt: {protocol: 4}", "1:18: expected 5 or 3.1.1, found '4': write 3.1.1"),
        Case("mqtt: {qos: 3}", "1:13: expected a number from 0 to 2, found 3"),
        Case("mqtt: {qos: \"one\"}", "1:13: expected a whole number from 0 to 2, found 'one'"),
        Case("mqtt: {qos: \"1 x\"}", "1:13: expected a whole number, found '1 x': write 1, without a unit"),
        Case("mqtt: {qos: \"1\"}", "1:13: expected a whole number, found '1' in quotes: remove the quotes"),
        Case("mqtt: {qos: 1.0}", "1:13: expected a whole number, found '1.0': write 1"),
        Case(
            "mqtt: {qos: 01}",
            "1:13: a leading 0 is ambiguous (octal in some programs): remove it, or write 0x for hexadecimal"),
        Case(
            "mqtt: {prefix: /a}",
            "1:16: the name '/a' has an empty level: remove the extra '/'"),
        Case(
            "mqtt: {prefix: \"a#\"}",
            "1:16: the name 'a#' contains '#', which MQTT topics do not allow: choose another name"),
        Case("mqtt: {prefix: $SYS}", "1:16: the name '$SYS' begins with '$', which MQTT reserves for brokers"),
        Case(
            "mqtt: {prefix: ha}\nhome_assistant: {prefix: ha}",
            "2:26: mqtt and home_assistant have the same prefix: change one of them"),
        Case(
            "mqtt: {prefix: homeassistant}",
            "1:16: mqtt and home_assistant have the same prefix: change one of them"),
        Case(
            "mqtt: {prefix: homeassistant}\nhome_assistant: {prefix: ~, discovery: component}",
            "1:16: mqtt and home_assistant have the same prefix: change one of them"),
        Case(
            "home_assistant: {prefix: bluefleet}",
            "1:26: mqtt and home_assistant have the same prefix: change one of them"),
        Case("bluetooth: {moderation: 1s}", "1:25: expected at most 100ms, found '1s'"),
        Case("mqtt: {cert_file: /c}", "1:19: a client certificate needs both cert_file and key_file"),
        Case("mqtt: {key_file: /k}", "1:18: a client certificate needs both cert_file and key_file"),
        Case(
            "mqtt: {protocol: 3.1.1, password_file: /p}",
            "1:40: MQTT 3.1.1 does not allow a password without a user name: add username"),
        Case(
            "mqtt: {url: localhost}",
            "1:13: expected a URL such as mqtt://localhost:1883, found 'localhost': write mqtt://localhost"),
        Case(
            "mqtt: {url: \"10.0.0.5:1884\"}",
            "1:13: expected a URL such as mqtt://localhost:1883, found '10.0.0.5:1884': write mqtt://10.0.0.5:1884"),
        Case("mqtt: {url: [mqtt://a, mqtt://b:1884, unix:///run/m.sock]}"),
        Case("share: {seat: {etcd: [\"http://a\", \"https://[::1]:2380/\"]}}"),
        Case(
            "share: {seat: {consul: [a]}}",
            "1:16: unknown key 'consul': etcd is the only engine: write etcd: [http://HOST:2379]"),
        Case("share: {seat: etcd}", "1:15: expected a mapping such as {etcd: [http://a:2379]}, found 'etcd'"),
        Case("share: {seat: {etcd: []}}", "1:22: the list is empty: name a node, e.g. [http://localhost:2379]"),
        Case(
            "share: {seat: {etcd: [a]}}",
            "1:23: expected a URL such as http://localhost:2379, found 'a'"),
        Case(
            "share: {seat: {etcd: [\"http://a\", \"http://a:2379\"]}}",
            "1:35: http://a:2379 is in the list twice: remove one"),
        Case("share: {seat: {etcd: [\"http://a/v3\"]}}", "1:23: the URL must end after host and port"),
        Case(
            "share: {seat: {etcd: [\"http://me@a\"]}}",
            "1:23: the URL must not contain a user: set user and password_file"),
        Case(
            "share: {seat: {etcd: [\"http://a\"], user: me}}",
            "1:15: a login needs both user and password_file, found user"),
        Case("mqtt: {url: []}", "1:13: the list is empty: name a node, e.g. [mqtt://localhost:1883]"),
        Case("mqtt: {url: [mqtt://a, mqtt://a:1883]}", "1:24: mqtt://a:1883 is in the list twice: remove one"),
        Case(
            "mqtt: {url: [mqtt://a, mqtts://b]}",
            "1:24: the nodes use TLS or none of them does: write mqtts:// for all, or for none"),
        Case(
            "mqtt: {url: [mqtt://a, b]}",
            "1:24: expected a URL such as mqtt://localhost:1883, found 'b': write mqtt://b"),
        Case("mqtt: {url: {a: b}}", "1:13: expected URL, found a mapping"),
        Case(
            "mqtt: {url: [\((0...16).map { "mqtt://a\($0)" }.joined(separator: ", "))]}",
            "1:196: a cluster has at most 16 nodes"),
        Case("mqtt: {nodes: [a]}", "1:8: unknown key 'nodes': write url: [mqtt://HOST1, mqtt://HOST2]"),
        Case("mqtt: {url: http://a}", "1:13: unknown scheme 'http': write mqtt://"),
        Case("mqtt: {url: ssl://a}", "1:13: unknown scheme 'ssl': write mqtts://"),
        Case("mqtt: {url: ws://a}", "1:13: MQTT over WebSockets is not supported: write mqtt:// or mqtts://"),
        Case("mqtt: {url: mqtt://a:70000}", "1:13: expected a port from 1 to 65535, found '70000'"),
        Case("mqtt: {url: mqtt://a:0}", "1:13: expected a port from 1 to 65535, found '0'"),
        Case("mqtt: {url: mqtt://a:+1883}", "1:13: expected a port from 1 to 65535, found '+1883'"),
        Case("mqtt: {url: mqtt://}", "1:13: the URL has no host: expected e.g. mqtt://localhost:1883"),
        Case(
            "mqtt: {url: mqtt://me:secret@a}",
            "1:13: the URL must not contain a user: set username and password_file"),
        Case(
            "mqtt: {url: mqtt://a/b}",
            "1:13: the URL must end after host and port: set prefix for the first levels of all topics"),
        Case("mqtt: {url: \"mqtt://::1\"}", "1:13: an IPv6 address needs brackets, e.g. mqtt://[::1]:1883"),
        Case(
            "mqtt: {url: \"mqtt://[fe80::1]\"}",
            "1:13: fe80::1 is an address of one network: add the interface, e.g. [fe80::1%eth0]"),
        Case(
            "share: {seat: {etcd: \"http://[FEBF::1]:2379\"}}",
            "1:22: FEBF::1 is an address of one network: add the interface, e.g. [FEBF::1%eth0]"),
        Case(
            "mqtt: {url: unix://a}",
            "1:13: expected the absolute path of a socket, e.g. unix:///run/mosquitto/mosquitto.sock"),
        Case(
            "mqtt: {url: unix:///}",
            "1:13: expected the absolute path of a socket, e.g. unix:///run/mosquitto/mosquitto.sock"),
        Case(
            "mqtt: {url: unix:///run/}",
            "1:13: expected the absolute path of a socket, e.g. unix:///run/mosquitto/mosquitto.sock"),
        Case("mqtt: {url: unix:///\(String(repeating: "a", count: 106))}"),
        Case(
            "mqtt: {url: unix:///\(String(repeating: "a", count: 107))}",
            "1:13: the path of a socket is limited to 107 bytes, this one has 108"),
        Case("mqtt: {username: \(String(repeating: "ä", count: 32767))}"),
        Case(
            "mqtt: {username: \(String(repeating: "ä", count: 32768))}",
            "1:18: a user name is limited to 65535 bytes in MQTT"),
        Case("mqtt: {username: \"a\\tb\"}", "1:18: the user name contains '\\u{9}', which brokers reject"),
        Case("state_directory: ~/bf", "1:18: '~' is not supported: write the full path"),
        Case(
            "home_assistant: {discovery: devices}",
            "1:29: expected device, component or none, found 'devices': did you mean 'device'?"),
        Case(
            "bluetooth: {adapters: [hci0]}",
            "1:24: 'hci0' can be another adapter after a restart: write its address, which bluefleet doctor shows"),
        Case("bluetooth: {adapters: []}", "1:23: the list is empty: name an adapter, or remove the key"),
        Case(
            "bluetooth: {adapters: [C0:00:00:00:00:01, c0:00:00:00:00:01]}",
            "1:23: duplicate adapter: name each adapter once"),
        Case(
            "bluetooth: {connections: many}", "1:26: expected auto or a number such as 7, found 'many'"),
        Case("bluetooth: {adapters: hci0}", "1:23: expected a list such as [\"B8:27:EB:12:34:56\"], found 'hci0'"),
        Case("bluetooth: {connections: 0}", "1:26: expected a number from 1 to 100, found 0"),
    ]

    /// Keys and values of other programs, and other frequent mistakes.
    static let frequent = [
        Case("mqtt: {host: a}", "1:8: unknown key 'host': write url: mqtt://HOST"),
        Case(
            "mqtt: {password: x}",
            "1:8: unknown key 'password': write the password into a file, and the path of the file into password_file"),
        Case("include: a.yaml", "1:1: unknown key 'include': files conf.d/*.yaml in the folder of this file add to it"),
        Case("devices: {a: {mac: C0:00:00:00:00:01}}", "1:15: unknown key 'mac': write address: C0:00:00:00:00:01"),
        Case("devices: {a: {adress: C0:00:00:00:00:01}}", "1:15: unknown key 'adress': did you mean 'address'?"),
        Case(device("interval: 10m"), "2:35: unknown key 'interval': write connect: every 10m"),
        Case(device("name: Kitchen"), "2:35: unknown key 'name': the key above is the name"),
        Case(device("friendly_name: Kitchen"), "2:35: unknown key 'friendly_name': write title: NAME"),
        Case("a: {address: C0:00:00:00:00:01}", "1:1: unknown key 'a': indent it and its keys below devices:"),
        Case("log: info\na: {match: {name: a}}", "2:1: unknown key 'a': known: " + keys),
        Case(
            "devices: {a: {mac_address: C0:00:00:00:00:01}}",
            "1:15: unknown key 'mac_address': write address: C0:00:00:00:00:01"),
        Case(
            "profiles: {p: {profile: q}}",
            "1:25: unknown profile 'q': known: p"),
        Case(
            "gateway = attic",
            "1:1: expected a mapping such as {devices: {…}}, found 'gateway = attic': write gateway: attic"),
        Case(
            "gateway:\u{A0}attic",
            #"1:1: expected a mapping such as {devices: {…}}, found 'gateway:\u{a0}attic': replace the no-break spaces, \u{a0}, by spaces"#
        ),
        Case(
            "\u{A0}gateway: attic",
            #"1:1: unknown key '\u{a0}gateway': replace the no-break spaces, \u{a0}, by spaces"#),
        Case(
            "devices: {a: {address: \u{A0}C0:00:00:00:00:01}}",
            #"1:24: expected an address such as C0:00:00:00:00:01, found '\u{a0}C0:00:00:00:00:01' (replace the no-break spaces, \u{a0}, by spaces)"#
        ),
        Case(
            "devices: {a: {address: C0-00-00-00-00-01}}",
            "1:24: expected an address such as C0:00:00:00:00:01, found 'C0-00-00-00-00-01': did you mean "
                + "C0:00:00:00:00:01?"),
        Case(
            "devices: {a: C0:00:00:00:00:01}",
            "1:14: expected a mapping such as {address: C0:00:00:00:00:01}, found 'C0:00:00:00:00:01'"),
        Case(
            device("connect: 10m"),
            "2:44: expected always, every 10m, on demand or never, found '10m': did you mean 'every 10m'?"),
        Case(
            device("key_file: 00112233445566778899aabbccddeeff"),
            "2:45: expected the path of a file, found the secret itself: write it into a file, and the path here"),
        Case(
            device("connect: never, advertisement: ruuvi"),
            "2:66: expected true for a built-in format, or a format such as {company: 0x0499, format: [{name: level, "
                + "type: uint8}]}, found 'ruuvi'"),
        Case(characteristic("notify: true"), "5:1: unknown key 'notify': write subscribe: true"),
        Case(
            characteristic("read: true"),
            "5:7: expected on connect or a duration such as 1h, found 'true': did you mean 'on connect'?"),
        Case(
            characteristic("read: every 5m"),
            "5:7: expected on connect or a duration such as 1h, found 'every 5m': write 5m"),
        Case("gateway: attic\nlog:debug\n", "2:1: expected a space after the ':': log: debug"),
        Case(
            characteristic("read: 1.5h"),
            "5:7: expected a duration such as 30s, 10m or 1h, found '1.5h': write 90m"),
        Case(
            characteristic("read: 1h 30m"),
            "5:7: expected a duration such as 30s, 10m or 1h, found '1h 30m': write 90m"),
        Case(characteristic("write: with response"), "5:8: expected true, found 'with response': write true"),
        Case(
            characteristic("format: {name: a, type: uint8}"),
            "5:9: expected a list in brackets, or with \"- \" before each item, such as [{name: level, type: uint16}], "
                + "found a mapping"),
        Case(characteristic("write: yes"), "5:8: expected true or false, found 'yes': write true"),
        Case(
            "devices: {a: {address: “C0:00:00:00:00:01”}}",
            "1:24: expected an address such as C0:00:00:00:00:01, found '“C0:00:00:00:00:01”' "
                + "(write straight quotation marks: \" or ')"),
        Case(
            "devices:\n  a:\n    address:C0:00:00:00:00:01",
            "3:5: expected a mapping such as {address: C0:00:00:00:00:01}, found 'address:C0:00:00:00:00:01': "
                + "write address: C0:00:00:00:00:01"),
        Case(field("type:uint8"), "6:1: expected a space after the ':': type: uint8"),
        Case(
            "devices:\n  a:\n    connect: never\n  address: C0:00:00:00:00:01",
            "3:5: the key 'address' is missing: add it, e.g. address: C0:00:00:00:00:01",
            "4:3: expected the name of a device, found its key 'address': indent the key below the name"),
        Case("url: mqtt://localhost", "1:1: unknown key 'url': it belongs into mqtt"),
        Case("prefix: home", "1:1: unknown key 'prefix': it belongs into mqtt or home_assistant"),
        Case(
            "peripherals: {}",
            "1:1: unknown key 'peripherals': this file describes a simulated fleet: bluefleet simulate FILE"),
        Case(
            device("icon: mdi-sprout"),
            "2:41: expected an icon such as mdi:water, found 'mdi-sprout': did you mean mdi:sprout?"),
        Case(
            device("advertisement: {company: Xiaomi, format: [{name: a, type: uint8}]}"),
            "2:60: expected a company identifier such as 0x0499, found 'Xiaomi': bluefleet scan --json shows it"),
        Case(
            device("advertisement: {company: 1, starts_with: 0x05, format: [{name: a, type: uint8}]}"),
            "2:76: expected pairs of hexadecimal digits such as \"0215\", found '0x05': did you mean \"05\"?"),
        Case(field("type: int16"), "6:7: unknown type 'int16': did you mean 'sint16'?"),
        Case(field("type: float"), "6:7: unknown type 'float': did you mean 'float32'?"),
        Case(field("type: string"), "6:7: unknown type 'string': did you mean 'utf8'?"),
        Case(field("type: uint16, endian: BE"), "6:23: expected little, big or word, found 'BE': did you mean 'big'?"),
        Case(field("type: uint8, factor: 2"), "6:14: unknown key 'factor': did you mean 'scale'?"),
        Case(field("type: uint8, values: {off: 0}"), "6:23: expected the number first: 0: off"),
        Case(
            field("type: uint8, values: [off]"),
            "6:22: expected NUMBER: NAME, such as {0: closed, 1: open}, found a list: remove the \"-\" or the brackets, "
                + "and use the name as the key"),
        Case(
            "bluetooth: {adapters: C0:00:00:00:00:01}",
            "1:23: expected a list such as [C0:00:00:00:00:01], found 'C0:00:00:00:00:01'"),
        Case("fleet: [{match: S*}]", "1:17: expected a mapping such as {name: \"Sensor*\"}, found 'S*'"),
        Case(
            "fleet: [{name: S*}]",
            "1:9: the key 'match' is missing: add it, e.g. match: {name: \"Sensor*\", services: [181A]}",
            "1:10: unknown key 'name': it belongs into match"),
    ]

    static let devices = [
        Case(
            "devices: {greenhouse: }",
            "1:23: the key 'address' is missing: add it, e.g. address: C0:00:00:00:00:01"),
        Case(
            "devices: {d: {address: C0:00:00:00:00}}",
            "1:24: expected an address such as C0:00:00:00:00:01, found 'C0:00:00:00:00'"),
        Case(
            "devices:\n  a: {address: C0:00:00:00:00:01}\n  b: {address: c0:00:00:00:00:01}",
            "3:16: duplicate address C0:00:00:00:00:01: device 'a' in line 2 has it; remove one of them"),
        Case(
            "devices:\n  a: {address: C0:00:00:00:00:01}\n  a: {address: C0:00:00:00:00:02}",
            "3:3: duplicate key 'a': the first is in line 2; rename one of them"),
        Case(
            "devices:\n  a: {address: C0:00:00:00:00:01}\ndevices:\n  b: {address: C0:00:00:00:00:02}",
            "3:1: duplicate key 'devices': move its contents to the first, in line 1"),
        Case(
            "devices:\n  a: {address: C0:00:00:00:00:01}\n---\ndevices:\n  a: {address: C0:00:00:00:00:02}",
            "5:3: duplicate key 'a': the first is in line 2; rename one of them"),
        Case(
            "devices: {a: {address: C0:00:00:00:00:01, connect: every}}",
            "1:52: expected a duration after every, e.g. every 10m"),
        Case(
            "devices: {bridge: {address: C0:00:00:00:00:01}}",
            "1:11: the name 'bridge' is reserved for the topics of the gateway: choose another one"),
        Case(
            "devices: {bridge/a: {address: C0:00:00:00:00:01}}",
            "1:11: the name 'bridge/a' is reserved for the topics of the gateway: choose another one"),
        Case(
            "devices: {a//b: {address: C0:00:00:00:00:01}}",
            "1:11: the name 'a//b' has an empty level: remove the extra '/'"),
        Case(
            "devices: {a+b: {address: C0:00:00:00:00:01}}",
            "1:11: the name 'a+b' contains '+', which MQTT topics do not allow: choose another name"),
        Case(
            "devices: {\"a\\0\": {address: C0:00:00:00:00:01}}",
            "1:11: the name 'a\\u{0}' contains '\\u{0}', which MQTT topics do not allow: choose another name"),
        Case(
            "devices: {bridge/\u{301}a: {address: C0:00:00:00:00:01}}",
            "1:11: the name 'bridge/\u{301}a' is reserved for the topics of the gateway: choose another one"),
        Case(
            "devices: {a/-: {address: C0:00:00:00:00:01}}",
            "1:11: the name 'a/-' has the level '-' without letters or digits, which Home Assistant does not support"),
        Case(device("profile: climat"), "2:44: unknown profile 'climat': none is defined"),
        Case(
            "profiles: {climate: {}}\n" + device("profile: climat"),
            "3:44: unknown profile 'climat': did you mean 'climate'?"),
        Case(
            "profiles: {a: {}}\n" + device("profile: [a]"),
            "3:44: expected text, found a list: write a, without the list"),
        Case(device("profile: {a: 1}"), "2:44: expected text, found a mapping"),
        Case(
            device("connect: allways"),
            "2:44: expected always, every 10m, on demand or never, found 'allways': did you mean 'always'?"),
        Case(device("connect: every 10"), "2:44: a duration needs a unit: 10s for seconds, 10m for minutes"),
        Case(device("connect: every 0s"), "2:44: expected a duration above 0"),
        Case(
            device("within: 1.5h"),
            "2:43: expected a duration such as 30s, 10m or 1h, found '1.5h': write 90m"),
        Case(
            device("within: 10 minutes"),
            "2:43: expected a duration such as 30s, 10m or 1h, found '10 minutes': write 10m"
        ),
        Case(device("within: 5 sec"), "2:43: expected a duration such as 30s, 10m or 1h, found '5 sec': write 5s"),
        Case(device("within: 5 m"), "2:43: expected a duration such as 30s, 10m or 1h, found '5 m': write 5m"),
        Case(
            device("within: 5 weeks"),
            "2:43: expected a duration such as 30s, 10m or 1h, found '5 weeks': write 35d"),
        Case(device("within: 0s"), "2:43: expected a duration above 0"),
        Case(device("hold: soon"), "2:41: expected a duration such as 30s, 10m or 1h, found 'soon'"),
        Case(device("hold: 10001d"), "2:41: a duration is limited to 10000d"),
        Case(device("hold: 9223372036854775807d"), "2:41: a duration is limited to 10000d"),
        Case(device("hold: 99999999999999999999d"), "2:41: a duration is limited to 10000d"),
        Case(device("pair: yes"), "2:41: expected true or false, found 'yes': write true"),
        Case(device("pair: \"true\""), "2:41: expected true or false, found 'true' in quotes: remove the quotes"),
        Case(device("passkey_file: /k"), "2:49: a passkey requires a bond: add pair: true"),
        Case(device("until: []"), "2:42: the list is empty: name a characteristic, or remove the key"),
        Case(device("until: [a]"), "2:43: unknown characteristic 'a': none is defined"),
        Case(
            device("until: [temperatur], characteristics: {temperature: }"),
            "2:43: unknown characteristic 'temperatur': did you mean 'temperature'?"),
        Case(
            device("connect: never, characteristics: {temperature: }"),
            "2:44: connect: never excludes characteristics such as 'temperature': change connect, or remove them"),
        Case(
            "profiles:\n  p: {pair: 1}\n  q: {address: C0:00:00:00:00:01}",
            "2:13: expected true or false, found '1': write true",
            "3:7: unknown key 'address': it belongs into a device"),
        Case(
            device("icon: sprout"), "2:41: expected an icon such as mdi:water, found 'sprout': did you mean mdi:sprout?"
        ),
        Case(
            "profiles:\n  p: {pair: 1}\ndevices:\n  a: {address: C0:00:00:00:00:01, profile: p}\n  b: {profile: p}",
            "2:13: expected true or false, found '1': write true",
            "5:6: the key 'address' is missing: add it, e.g. address: C0:00:00:00:00:01"),
    ]

    static let fleet = [
        Case(
            "fleet: [{device: x}]",
            "1:9: the key 'match' is missing: add it, e.g. match: {name: \"Sensor*\", services: [181A]}",
            "1:18: the pattern gives every device the same name: add {address} or {name}"),
        Case(
            "fleet: [{match: {}}]",
            "1:17: the rule matches every device: add address, name, services, manufacturer or decoded: true"),
        Case(
            "fleet: [{match: {address: G0}}]",
            "1:27: expected an address such as C0:00:00:00:00:01 or C0:00:*, found 'G0'"),
        Case(
            "fleet: [{match: {address: C0}}]",
            "1:27: expected an address such as C0:00:00:00:00:01 or C0:00:*, found 'C0'"),
        Case(
            "fleet: [{match: {address: \"C0:00:00:00:00:0\"}}]",
            "1:27: expected an address such as C0:00:00:00:00:01 or C0:00:*, found 'C0:00:00:00:00:0'"),
        Case("fleet: [{match: {address: \"c0:00:00:00:00:01\"}}]"),
        Case("fleet: [{match: {manufacturer: 70000}}]", "1:32: expected a number from 0 to 65535, found 70000"),
        Case("fleet: [{match: {services: []}}]", "1:28: the list is empty: name a service, or remove the key"),
        Case(
            "fleet: [{match: {name: a}, device: \"x/{adress}\"}]",
            "1:36: unknown placeholder 'adress': expected {address}, {name} or {gateway}"),
        Case(
            "fleet: [{match: {name: a}, device: \"bridge/{name}\"}]",
            "1:36: the name 'bridge/name' is reserved for the topics of the gateway: choose another one"),
        Case("fleet: [{match: {name: a}, profile: p}]", "1:37: unknown profile 'p': none is defined"),
    ]

    @Test(arguments: [
        (characteristic("format: []"), "5:9: "), (field("type: sint8, bits: {0: x}"), "6:20: "),
        (field("type: utf8, scale: 2"), "6:20: "), (field("type: uint8, when: x"), "6:20: "),
        (field("type: uint8}, {name: f, type: uint8"), "6:22: "),
    ])
    func `a contradiction in a format is reported at its key`(_ yaml: String, _ place: String) {
        let found = mistakes(in: yaml)
        #expect(found.count == 1)
        #expect(found.allSatisfy { $0.hasPrefix(place) })
    }

    @Test func `all mistakes are reported at once, in the order of the file`() {
        let yaml = """
            log: loud
            mqtt:
              qos: 7
            devices:
              a:
                adress: C0:00:00:00:00:01
            """
        #expect(
            mistakes(in: yaml) == [
                "1:6: expected debug, info, warning or error, found 'loud'",
                "3:8: expected a number from 0 to 2, found 7",
                "6:5: unknown key 'adress': did you mean 'address'?",
            ])
    }

    @Test func `a mistake has the form that editors recognize`() throws {
        let error = #expect(throws: ConfigurationError.self) {
            try Configuration(yaml: "\nlog: x", file: "/etc/bluefleet/bluefleet.yaml")
        }
        #expect(
            try #require(error).description
                == "/etc/bluefleet/bluefleet.yaml:2:6: expected debug, info, warning or error, found 'x'")
    }
}
