import Configuration
import Testing

/// Warnings about keys that Home Assistant or the bridge would silently ignore.
@Suite struct AdviceTests {
    private static func field(_ keys: String) -> String {
        device("characteristics: {it: {uuid: FFF1, subscribe: true, format: [{name: a, \(keys)}]}}")
    }

    private static func device(_ keys: String) -> String {
        "devices: {a: {address: C0:00:00:00:00:01, \(keys)}}"
    }

    private static let cases: [(yaml: String, warning: String?)] = [
        (
            field("type: uint32, unit: kWh, state_class: measurement"),
            "kWh makes the Home Assistant class energy, which does not allow measurement: write state_class: "
                + "total_increasing, or device_class: energy_storage; as it is, the entity has no device class"
        ),
        (
            field("type: uint8, unit: °C, state_class: total_increasing"),
            "°C makes the Home Assistant class temperature, which does not allow total_increasing: write state_class: "
                + "measurement; as it is, the entity has no device class"
        ),
        (field("type: uint32, unit: kWh, state_class: total"), nil),
        (
            field("type: uint32, unit: s, device_class: timestamp"),
            "the Home Assistant class timestamp has no effect here: write type: timestamp for seconds since 1970, with "
                + "scale and offset if necessary"
        ),
        (
            field("type: uint8, device_class: enum"),
            "the Home Assistant class enum has no effect here: write values: {0: NAME, 1: NAME}"
        ),
        (
            field("type: uint16, device_class: date"),
            "the Home Assistant class date has no effect here: write type: date for days since 1970"
        ),
        (field("type: uint8, values: {0: a, 1: b}, device_class: enum"), nil),
        (field("type: timestamp, device_class: timestamp"), nil),
        (field("type: uint16, unit: mAh"), nil),
        (field("type: uint8, title: Level, icon: mdi:water, enabled: false"), nil),
        (
            device("characteristics: {it: {uuid: FFF1, subscribe: true, state: other}}"),
            "state has no effect here: it belongs to a characteristic with write: true"
        ),
        (field("type: uint8, max: 9"), "max has no effect here: it applies to written values: add write: true"),
        (field("type: uint8, step: 5"), "step has no effect here: it applies to written values: add write: true"),
        (field("type: boolean, step: 5"), "step has no effect here: it applies to numbers only"),
        (field("type: uint8, title: X, hidden: true"), "title has no effect here: the field is hidden"),
        (
            device(
                "connect: never, advertisement: {company: 1, format: [{name: a, type: uint8, max: 9}]}"),
            "max has no effect here: it applies to written values, and advertisements are only received"
        ),
        (field("type: uint16, unit: mAH"), "unknown unit 'mAH': did you mean 'mAh'?"),
        (
            device("characteristics: {manufacturer_name_string: {read: on connect, unit: °C}}"),
            "a text has no unit in Home Assistant: for a number as text, write format: [{name: value, type: decimal}]"
        ),
        (
            device("connect: never, quantities: {temprature: {title: Air}}"),
            "no advertisement has a quantity 'temprature': did you mean 'temperature'?"
        ),
        (device("connect: never, quantities: {temperature_2: {title: Air, precision: 0}}"), nil),
        (device("connect: never, quantities: {temperature: {unit: °F}, humidity: none}"), nil),
        (
            "fleet: [{match: {name: \"^Sensor-[0-9]+$\"}, connect: never}]",
            "'^Sensor-[0-9]+$' looks like a regular expression, but in a pattern only * and ? are special: did you mean "
                + "'Sensor-*'?"
        ),
        (
            "fleet: [{match: {name: \"ATC.*\"}, connect: never}]",
            "'ATC.*' looks like a regular expression, but in a pattern only * and ? are special: did you mean 'ATC*'?"
        ),
        ("fleet: [{match: {name: \"Sensor (2)*\"}, connect: never}]", nil),
        (
            "fleet: [{match: {name: \"Sensor*\"}, manufacturer: 0x0499, connect: never}]",
            "manufacturer is a name that Home Assistant shows: write a company identifier into match"
        ),
        ("fleet: [{match: {name: \"Sensor*\"}, manufacturer: 3M, connect: never}]", nil),
    ]

    @Test func `a device class that Home Assistant does not have is a mistake`() {
        #expect(throws: ConfigurationError.self) {
            try Configuration(yaml: Self.field("type: uint8, device_class: foo"))
        }
    }

    @Test(arguments: cases) func `check warns about a key without effect`(yaml: String, warning: String?) throws {
        let warnings = try Configuration(yaml: yaml).warnings.map(\.message)
        if let warning {
            #expect(warnings.contains(warning), "\(warnings)")
        } else {
            #expect(warnings.isEmpty)
        }
    }
}
