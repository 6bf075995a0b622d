/// Mistakes in characteristics and their rules for publishing.
extension MistakeTests {
    static let values = [
        Case(
            device("characteristics: {temperature: {}}, adjust: {temprature: value - 1}"),
            "2:80: unknown value 'temprature': did you mean 'temperature'?"),
        Case(
            device("characteristics: {temperature: {}}, adjust: {temperature: value - humidity}"),
            "2:80: unknown value 'humidity': known: temperature"),
        Case(
            device("characteristics: {temperature: {}}, adjust: {temperature: [[1, 2]]}"),
            "2:93: expected at least two points, such as [[310, 0], [480, 50]]"),
        Case(
            device("characteristics: {temperature: {}}, adjust: {temperature: [[2, 2], [1, 3]]}"),
            "2:93: the measured values must rise: 1 follows 2"),
        Case(
            device("characteristics: {temperature: {}}, adjust: {temperature: [[2, 2, 3], [1, 3]]}"),
            "2:93: expected points such as [310, 0], found 3 numbers in one"),
        Case(
            device("characteristics: {temperature: {}}, derive: {a: {value: b}, b: {value: temperature}}"),
            "2:80: unknown value 'b': known: temperature"),
        Case(
            device(
                "characteristics: {pack: {ask: {to: FFF2, each: {n: [1, 2]}, hex: A0}, answer: {from: FFF1}, format: [{name: v, "
                    + "type: uint8}, {name: w, type: uint8}]}}, derive: {a: {value: pack_1.v + pack_02.v}, b: {value: pack.v}, "
                    + "c: {value: pack_x.v + pack_2.y}}"),
            "2:196: unknown value 'pack_02.v': did you mean 'pack_1.v'?",
            "2:230: unknown value 'pack.v': did you mean 'pack_1.v'?",
            "2:250: unknown value 'pack_2.y': did you mean 'pack_1.v'?",
            "2:250: unknown value 'pack_x.v': did you mean 'pack_1.v'?"),
        Case(
            device("characteristics: {temperature: {}}, derive: {temperature: {value: temperature * 2}}"),
            "2:80: 'temperature' is also a value of the device and would share its topic: rename one"),
        Case(
            device("characteristics: {temperature: {}}, derive: {info: {value: temperature * 2}}"),
            "2:80: the name 'info' is reserved for a topic of the device: choose another one"),
        Case(
            device("characteristics: {temperature: {publish: {average: 5m, at_most_every: 1m}}}"),
            "2:86: average replaces at_most_every: remove one of them"),
        Case(
            device("characteristics: {temperature: {publish: {average: {over: 5m, by: mode}}}}"),
            "2:101: expected mean, min, max, median or last, found 'mode'"),
        Case(
            characteristic(
                "valid: voltge < 60, format: [{name: voltage, type: uint8}, {name: sum, type: uint8, hidden: true}]"),
            "5:8: unknown name 'voltge': did you mean 'voltage'?"),
        Case(
            characteristic("valid: sum < 60, format: [{name: a, type: uint8}, {name: sum, type: uint8, hidden: true}]"),
            "5:8: unknown name 'sum': known: a"),
        Case(
            device("characteristics: {temperature: {valid: temprature < 60}}"),
            "2:74: unknown name 'temprature': did you mean 'temperature'?"),
        Case(
            device("with: {most: 60}, characteristics: {temperature: {valid: value < most && temperature < most}}")),
        Case(
            device("characteristics: {temperature: {valid: value <}}"),
            "2:74: expected a number or a name at the end of 'value <'"),
    ]

    static let characteristics = [
        Case(
            device("characteristics: {temprature: }"),
            "2:53: 'temprature' is not a Bluetooth SIG characteristic: did you mean 'temperature'?"),
        Case(
            device("characteristics: {battery: {subscribe: true}}"),
            "2:53: 'battery' is not a Bluetooth SIG characteristic: did you mean 'battery_level'?"),
        Case(
            device("characteristics: {output: {write: true}}"),
            "2:53: 'output' is not a Bluetooth SIG characteristic: add a uuid"),
        Case(
            device("characteristics: {info: {uuid: 2A6E}}"),
            "2:53: the name 'info' is reserved for a topic of the device: choose another one"),
        Case(
            device("characteristics: {request/x: {uuid: 2A6E}}"),
            "2:53: the name 'request/x' is reserved for a topic of the device: choose another one"),
        Case(
            device("characteristics: {a: {uuid: 2A6E}, b: {uuid: 0x2a6e}}"),
            "2:70: 'b' and 'a' are the same characteristic, 2A6E: remove one, or set instance"),
        Case(
            device("characteristics: {a b: {uuid: 2A6E}, a_b: {uuid: 2A6F}}"),
            "2:72: 'a_b' and 'a b' have the same Home Assistant identifier, 'a_b': rename one"),
        Case(
            device(
                "characteristics: {a: {uuid: 2A6E, format: [{name: b c, type: uint8}, {name: b_c, type: uint8}]}}"),
            "2:53: 'b_c' and 'b c' have the same Home Assistant identifier, 'b_c': rename one"),
        Case(
            device(
                "characteristics: {a: {uuid: 2A6E}}, "
                    + "advertisement: {company: 1, format: [{name: a, type: uint8}]}"),
            "2:53: 'a' is also an advertised field and would share its topic: rename one"),
        Case(
            device("characteristics: {a: {uuid: 2A6E}, a/get: {uuid: 2A6F}}"),
            "2:70: 'd: a/get' and 'd: a' would share the topic 'd/a/get': rename one"),
        Case(
            """
            devices:
              a: {address: C0:00:00:00:00:01, characteristics: {b/c: {uuid: 2A6E}}}
              a/b: {address: C0:00:00:00:00:02, characteristics: {c: {uuid: 2A6E}}}
            """, "3:55: 'a/b: c' and 'a: b/c' would share the topic 'a/b/c': rename one"),
        Case(
            """
            devices:
              a: {address: C0:00:00:00:00:01, characteristics: {b/info: {uuid: 2A6E}}}
              a/b: {address: C0:00:00:00:00:02}
            """, "2:53: 'a: b/info' and 'a/b' would share the topic 'a/b/info': rename one"),
        Case(
            """
            devices:
              a: {address: C0:00:00:00:00:01}
              a/request/b: {address: C0:00:00:00:00:02}
            """, "3:3: 'a/request/b' and 'a' would share the topic 'a/request': rename one"),
        Case(
            """
            devices:
              a: {address: C0:00:00:00:00:01, characteristics: {b/request/read: {uuid: 2A6E}}}
              a/b: {address: C0:00:00:00:00:02}
            """, "2:53: 'a: b/request/read' and 'a/b' would share the topic 'a/b/request': rename one"),
        Case(characteristic("subcribe: true"), "5:1: unknown key 'subcribe': did you mean 'subscribe'?"),
        Case(
            characteristic("service: 181"),
            "5:10: expected a UUID of 4, 8 or 32 hexadecimal digits such as 181A, found '181'"),
        Case(
            characteristic("service: batery"),
            "5:10: expected a UUID of 4, 8 or 32 hexadecimal digits such as 181A, found 'batery': did you mean 'battery'?"
        ),
        Case(
            characteristic("read: on conect"),
            "5:7: expected on connect or a duration such as 1h, found 'on conect': did you mean 'on connect'?"),
        Case(
            characteristic("write: without_response"),
            "5:8: expected true, without response, reliable or false, found 'without_response': did you mean 'without response'?"
        ),
        Case(
            characteristic("write: \"true\""), "5:8: expected true or false, found 'true' in quotes: remove the quotes"),
        Case(
            characteristic("write: reliable, split: true"),
            "5:25: split excludes write: reliable, which verifies a value as a whole: write true or without response"),
        Case(characteristic("qos: -1"), "5:6: expected a number from 0 to 2, found -1"),
        Case(
            characteristic("device_class: temprature"),
            "5:15: unknown device class 'temprature': did you mean 'temperature'?"),
        Case(
            characteristic("device_class: humidity, format: [{name: f, type: uint8, unit: lx}]"),
            "5:15: expected a unit of the Home Assistant class humidity (%), found lx"),
        Case(
            characteristic("device_class: power_factor, unit: W, format: [{name: f, type: uint8}]"),
            "5:15: expected a unit of the Home Assistant class power_factor (%, no unit), found W"),
        Case(
            characteristic("device_class: temperature, format: [{name: f, type: uint8}]"),
            "5:15: expected a unit of the Home Assistant class temperature (K, °C, °F), found no unit"),
        Case(characteristic("device_class: pm25, unit: \"\u{B5}g/m³\", format: [{name: f, type: uint8}]")),
        Case(characteristic("device_class: ph, format: [{name: f, type: uint8}]")),
        Case(
            characteristic("publish: {deadband: \"1\"}"),
            "5:21: expected a number, found '1' in quotes: remove the quotes"),
        Case(
            characteristic("publish: {deadband: 00.5}"),
            "5:21: a leading 0 is ambiguous (octal in some programs): remove it"),
        Case(characteristic("publish: {deadband: +-1}"), "5:21: expected a number such as 0.5, found '+-1': write -1"),
        Case(characteristic("publish: {deadband: -0.5}"), "5:21: expected a number of at least 0, found -0.5"),
        Case(
            characteristic("publish: {deadband: 0, 5}"),
            "5:24: unknown key '5': known: on_change, deadband, at_most_every, at_least_every, average, payload, keep"),
        Case(characteristic("publish: {on_change: 1}"), "5:22: expected true or false, found '1': write true"),
        Case(
            characteristic("publish: {payload: jsn}"),
            "5:20: expected json or value, found 'jsn': did you mean 'json'?"),
        Case(
            characteristic("publish: {at_most_every: 5m, at_least_every: 1m}"),
            "5:26: at_most_every is longer than at_least_every: shorten at_most_every"),
        Case(state("statsu"), "2:93: unknown characteristic 'statsu': did you mean 'status'?"),
        Case(state("relay"), "2:93: a characteristic is its own state: name another one, or remove state"),
        Case(state("idle"), "2:93: 'idle' is neither read nor subscribed: add subscribe: true to it"),
        Case(state("status")),
        Case(state("status.on")),
        Case(state("status.no"), "2:93: 'status' has no field 'no': did you mean 'on'?"),
        Case(
            state("status.level"),
            "2:93: 'level' is a number, the command takes true or false: both need the same form"),
        Case(
            state("status", of: "[{name: it, type: boolean}]"),
            "2:93: 'status' has no field with the name of a written one: name the field, e.g. status.on, status.level, "
                + "status.mode"),
        Case(
            state("status.level", of: "[{name: it, type: uint8, unit: V}]"),
            "2:93: the state is in %, the command in V: both need the same unit"),
        Case(
            state("status.mode", of: "[{name: it, type: uint8, values: {0: off, 1: on}}]"),
            "2:93: the command cannot take the value 'fault' of the state: its values are off, on"),
        Case(
            state("status.mode", of: "[{name: it, type: uint8, values: {0: off}}]"),
            "2:93: a value with one name is a button, which has no state: remove state"),
        Case(
            device("connect: never, quantities: {humidity: {unit: °C}}"),
            "2:81: humidity has %, which cannot be converted to °C"),
        Case(
            device("connect: never, quantities: {humidity: no}"),
            "2:74: expected none, which leaves the quantity out, or a mapping such as {title: Soil moisture}, found 'no'"
        ),
        Case(
            device("connect: never, quantities: {temperature: {unit: °F, device_class: humidity}}"),
            "2:102: expected a unit of the Home Assistant class humidity (%), found °F"),
        Case(
            device("connect: never, quantities: {temperature: {retain: maybe}}"),
            "2:86: expected true or false, found 'maybe'"),
    ]

    /// A relay whose state is the value that `name` names.
    private static func state(_ name: String, of format: String = "[{name: on, type: boolean}]") -> String {
        device(
            """
            characteristics: {relay: {write: true, uuid: FFF1, state: \(name), format: \(format)}, \
            idle: {uuid: FFF3, write: true, format: [{name: on, type: boolean}]}, status: {uuid: FFF2, subscribe: true, \
            format: [{name: on, type: boolean}, {name: level, type: uint8, unit: "%"}, \
            {name: mode, type: uint8, values: {0: off, 1: on, 2: fault}}]}}
            """)
    }
}
