/// Mistakes in the formats of characteristics and advertisements.
extension MistakeTests {
    static let formats = [
        Case(
            characteristic("format: uint8"), "5:9: expected a list such as [{name: level, type: uint16}], found 'uint8'"
        ),
        Case(characteristic("format: [{type: uint8}]"), "5:10: the key 'name' is missing: add it, e.g. name: level"),
        Case(field("type: unit8"), "6:7: unknown type 'unit8': did you mean 'uint8'?"),
        Case(
            field("type: uint8, scale: 0,1"),
            "6:23: scale: \"0,1\" is a list here: use a decimal point: 0.1"),
        Case(
            field("type: uint8, endian: bigg"), "6:22: expected little, big or word, found 'bigg': did you mean 'big'?"),
        Case(
            field("type: uint24, endian: word"),
            "6:23: endian: the type uint24 does not consist of words of 16 bits: write endian: big or little"),
        Case(
            characteristic("write: true, format: [{name: a, type: uint8, at: 2}]"),
            "5:22: a format with at is only read: write the fields in wire order without at, or remove write"),
        Case(
            characteristic("format: [{name: r, type: record, length: 2, fields: [{name: a, at: 1, type: uint8}]}]"),
            "5:53: fields: the fields of a record are in wire order: remove at"),
        Case(
            characteristic("format: [{name: a, type: number, at: 1, value: \"1\"}]"),
            "5:38: at: a calculated value has no bytes: remove at"),
        Case(
            characteristic("format: [{name: n, type: uint8}, {name: a, type: uint8, count: n * m}]"),
            "5:64: no earlier field is named 'm': known: n"),
        Case(
            characteristic("format: [{name: n, type: uint8}, {name: a, type: number, value: sum(n)}]"),
            "5:65: 'n' is neither a list nor a text"),
        Case(
            characteristic("format: [{name: a, type: number, value: sum(b)}, {name: b, type: uint8, count: 2}]"),
            "5:41: no earlier list or text is named 'b'"),
        Case(field("type: uint8, unknown: [0xFF, none]"), "6:30: expected a whole number, found 'none'"),
        Case(
            field("type: uint8, bits: {3-1: x}"),
            "6:21: expected a bit from 0 to 63, or a range such as 1-3, found '3-1': did you mean 1-3?"),
        Case(
            field("type: uint8, bits: {\"+1\": x}"),
            "6:21: expected a bit from 0 to 63, or a range such as 1-3, found '+1'"),
        Case(
            field("type: uint8, bits: {01: x}"),
            "6:21: expected a bit from 0 to 63, or a range such as 1-3, found '01'"),
        Case(
            field("type: uint8, values: {0: a, 256: b}"),
            "6:22: values: 256 is not from 0 to 255, the raw numbers (before scale and offset)"),
        Case(
            field("type: uint8, bits: {0-1: {name: x, values: {5: q}}}"),
            "6:20: bits: x: values: 5 is not from 0 to 3, the raw numbers (before scale and offset)"),
        Case(field("type: uint8, values: {on: x}"), "6:23: expected a raw number, found 'on': write 1"),
        Case(field("type: uint8, values: {1: x, 0x1: y}"), "6:29: duplicate number 1: it has a name above"),
        Case(
            field("type: uint8, count: 2, bits: {0: x}"),
            "6:21: count: a field with bits cannot be a list: write a list of records, such as {name: inputs, type: record, "
                + "count: 3, fields: [{name: flags, type: uint8, bits: {0: open}}]}"),
        Case(
            characteristic("format: [0x0A]"),
            "5:10: expected a field such as {name: level, type: uint16}, constant bytes such as \"0A5F\", or rest, found "
                + "'0x0A'"),
        Case(
            field("type: uint8, until: \",\""),
            "6:21: until: until ends a field of type decimal or utf8 without a length"
        ),
        Case(field("type: utf8, until: \", \""), "6:20: expected one ASCII character such as \",\", found ', '"),
        Case(
            characteristic("format: {json: [{path: a}]}"),
            "5:17: the key 'name' is missing: add it, e.g. name: temperature"),
        Case(
            characteristic("format: {json: []}"), "5:16: json: a text in JSON needs at least one member"),
        Case(
            characteristic("format: {json: [{name: a, type: uint8}]}"),
            "5:33: expected decimal, utf8 or boolean, found 'uint8'"),
        Case(
            characteristic("format: {json: [{name: a, type: utf8, unit: V}]}"),
            "5:16: json: 'a' is no number: remove scale, offset, unknown, values and unit, or write type: decimal"),
        Case(
            characteristic("format: {json: [{name: a, path: x}, {name: b, path: x.y}]}"),
            "5:16: json: 'a' and 'b' are both at 'x.y': change one path"),
        Case(
            characteristic("format: {json: [{name: a}, {name: a, path: b}]}"),
            "5:9: the name 'a' is used twice: rename one field"),
        Case(
            characteristic("format: [{json: [{name: a}]}, {name: b, type: uint8}]"),
            "5:17: json: a text in JSON reaches to the end: it is the last field"),
        Case(field("type: timestamp, length: 9"), "6:26: length: a timestamp has a length of 1 to 8 bytes"),
        Case(field("type: uint8, from: 2"), "6:20: from belongs to a checksum: add checksum"),
        Case(field("type: uint8, count: all"), "6:21: no earlier field is named 'all': there is no earlier number"),
        Case(field("type: uint8, count: -1"), "6:21: expected a number from 1 to 512, found -1"),
        Case(
            field("type: number, value: \"1 +\""), "6:22: expected a number or a name at the end of '1 +'"),
        Case(
            characteristic("format: [{name: a, type: uint8}, {name: b, type: uint8, value: a * 2}]"),
            "5:50: type: a calculated value has no bytes: write number or boolean, not uint8"),
        Case(field("type: number, value: x"), "6:22: no earlier field or bit is named 'x': there is no earlier number"),
        Case(
            characteristic("format: [{name: a, type: uint8}, {name: c, type: uint8, checksum: crc16}]"),
            "5:67: checksum: crc16 has 16 bits, but a uint8 has 8"),
        Case(
            field("type: uint8, checksum: xor"),
            "6:24: checksum: a checksum needs at least one field before it"),
        Case(
            field("type: uint8, checksum: crc"),
            "6:24: expected sum, negative_sum, xor, crc8, crc8_maxim, crc16_modbus, crc16, crc16_ccitt, crc16_xmodem, "
                + "crc16_fujitsu or crc32, found 'crc': did you mean 'crc8'?"),
        Case(field("type: uint8, when: x"), "6:20: no earlier field or bit is named 'x': there is no earlier number"),
        Case(
            field("type: uint8, when: x=2"),
            "6:20: no earlier field or bit is named 'x=2': write NAME, not NAME, NAME = 2 or NAME != 2, "
                + "with these spaces"),
        Case(
            field("type: uint8, when: x > 2"),
            "6:20: no earlier field or bit is named 'x > 2': write NAME, not NAME, NAME = 2 or NAME != 2, "
                + "with these spaces"),
        Case(
            field("type: uint8, when: [\"!x\"]"),
            "6:20: no earlier field or bit is named '!x': write NAME, not NAME, NAME = 2 or NAME != 2, "
                + "with these spaces"),
        Case(
            field("type: uint8, when: a = b"),
            "6:20: no earlier field or bit is named 'a': there is no earlier number"),
        Case(
            characteristic("format: [{name: a, type: uint8}, {name: b, type: uint8, when: a = on}]"),
            "5:63: expected a whole number, found 'on'"),
        Case(
            characteristic(
                "format: [{name: a, type: uint8, values: {1: start, 2: stop}}, {name: b, type: uint8, when: a = strt}]"),
            "5:92: unknown value of 'a' 'strt': did you mean 'start'?"),
        Case(
            field("type: uint8, max: 300"),
            "6:19: max: 300 cannot be written: the values of the bytes are 0 to 255"),
        Case(
            field("type: uint8, scale: 0.1, min: -1"),
            "6:31: min: -1 cannot be written: the values of the bytes are 0 to 25.5"),
        Case(
            field("type: uint8, min: 9, max: 9"), "6:27: max: 9 is not greater than the least value, 9"),
        Case(
            field("type: float32, min: 9"),
            "6:21: min: the type float32 needs both min and max, because its bytes have no limits to show"),
        Case(field("type: boolean, max: 1"), "6:21: max: only numbers without names have limits"),
        Case(
            field("type: uint8, size: true, max: 9"),
            "6:31: max: a checksum and a size have no limits: other bytes determine them"),
        Case(
            field("type: uint8, bits: {0-1: {name: x, max: 5}}"),
            "6:21: max: 5 cannot be written: the values of the bytes are 0 to 3"),
        Case(
            field("type: uint8, bits: {0: {name: x, max: 1}}"), "6:21: max: only numbers without names have limits"),
        Case(
            field("type: uint8, bits: {0: x}, title: X"),
            "6:20: the keys for Home Assistant belong to the single bits, such as {0: {name: open, device_class: door}}"
        ),
        Case(
            field("type: record, fields: [{type: uint8}]"), "6:24: the key 'name' is missing: add it, e.g. name: level"),
        Case(
            field("type: uint8, bits: {0-3: {nam: x}}"),
            "6:27: unknown key 'nam': did you mean 'name'?"),
    ]

    static let advertisements = [
        Case(
            device("advertisement: {company: 1, format: []}"), "2:71: a format needs at least one field"),
        Case(
            device("advertisement: {format: [{name: a, type: uint8}]}"),
            "2:50: expected either company (manufacturer data, e.g. 0x0499) or service (service data, e.g. FCD2); for a "
                + "device whose format is built in: advertisement: true"),
        Case(
            device("advertisement: {company: 1, service: FCD2, format: [{name: a, type: uint8}]}"),
            "2:50: expected either company (manufacturer data, e.g. 0x0499) or service (service data, e.g. FCD2); for a "
                + "device whose format is built in: advertisement: true"),
        Case(
            device("advertisement: {company: 65536, format: [{name: a, type: uint8}]}"),
            "2:60: expected a number from 0 to 65535, found 65536"),
        Case(
            device("advertisement: {company: 1, starts_with: 5, format: [{name: a, type: uint8}]}"),
            "2:76: expected pairs of hexadecimal digits such as \"0215\", found '5'"),
        Case(advertised("a#"), "2:92: the name 'a#' contains '#', which MQTT topics do not allow: choose another name"),
        Case(
            advertised("-"),
            "2:92: the name '-' has the level '-' without letters or digits, which Home Assistant does not support"),
        Case(
            advertised("connection"),
            "2:92: the name 'connection' is reserved for a topic of the device: choose another one"),
        Case(
            advertised("request/x"),
            "2:92: the name 'request/x' is reserved for a topic of the device: choose another one"),
        Case(
            advertised("flags, bits: {0: y, 1: {name: info}}"),
            "2:105: the name 'info' is reserved for a topic of the device: choose another one"),
        Case(advertised("connection, hidden: true")),
        Case(
            advertised("a b", "a_b"),
            "2:118: 'a_b' and 'a b' have the same Home Assistant identifier, 'a_b': rename one"),
        Case(advertised("y", "y/get"), "2:116: 'd: y/get' and 'd: y' would share the topic 'd/y/get': rename one"),
        Case(
            advertised("x/availability") + "\n  d/x: {address: C0:00:00:00:00:02}",
            "2:92: 'd: x/availability' and 'd/x' would share the topic 'd/x/availability': rename one"),
        Case(
            advertised("x/request/read") + "\n  d/x: {address: C0:00:00:00:00:02}",
            "2:92: 'd: x/request/read' and 'd/x' would share the topic 'd/x/request': rename one"),
        Case(
            device(
                "advertisement: [{company: 1, format: [{name: a, type: uint8}]}, "
                    + "{company: 2, format: [{name: a, type: uint8}]}]")),
        Case(
            "profiles: {p: {advertisement: {company: 1, format: [{name: info, type: uint8}]}}}",
            "1:60: the name 'info' is reserved for a topic of the device: choose another one"),
        Case(
            characteristic("format: [{name: a, type: uint32, count: 129}]"),
            "5:9: the fields have 516 bytes, but a value has at most 512"),
        Case(
            characteristic("format: [{name: a, at: 512, type: uint8}]"),
            "5:9: the fields reach to 513 bytes, but a value has at most 512"),
        Case(
            field("type: uint8, count: 2 * 300"), "6:21: expected a whole number from 1 to 512, but 2 * 300 is 600"),
        Case(
            device("advertisement: {company: 1, length: 3, format: [{name: a, type: uint32}]}"),
            "2:82: the fields need 4 bytes, but the data has 3"),
        Case(
            device("advertisement: {company: 1, length: 5, format: [{name: a, type: uint32}]}"),
            "2:82: the fields have 4 bytes, but the data has 5: add rest for bytes without a meaning"),
        Case(
            device("advertisement: {company: 1, length: 1, starts_with: \"0506\", format: [{name: a, type: uint8}]}"),
            "2:71: the data of 1 byte is shorter than starts_with, 2 bytes"),
        Case(
            device("advertisement: {company: 1, format: [{name: a, type: uint8, count: 253}]}"),
            "2:71: the fields need 253 bytes, but an advertisement has at most 252"),
    ]
}
