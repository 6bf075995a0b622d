extension Advertisements {
    /// The fields of MiBeacon's objects, by their types.
    ///
    /// The types from 0x4800 on belong to single products. The meanings of 0x4A1C and 0x5601 are inferred from
    /// neighbouring types.
    ///
    /// Source: the published protocol; Bluetooth-Devices/xiaomi-ble; theengs/decoder.
    static let xiaomiObjects: [Int: [Field]] = [
        0x0003: flag("motion"),
        0x0006: fingerprint,
        0x0007: door,
        0x0008: armed,
        0x000A: [.temperature(.sint16, 0.01)],
        0x000B: lock,
        0x000F: motionWithLight,
        0x0010: [
            .number("stopped", .uint8).hidden, .truth("toothbrush", "!stopped"),
            .number("counter", .uint8).unless("stopped").optional, .number("score", .uint8).when("stopped").optional,
        ],
        0x1001: button,
        0x1004: [.temperature(.sint16, 0.1)],
        0x1005: powerAndTemperature,
        0x1006: [.humidity(.uint16, 0.1)],
        0x1007: light(in: [nightLight, doorSensor], "level == 100"),
        0x1008: [.number("moisture", .uint8, 1, "%", kind: .moisture)],
        0x1009: [.number("conductivity", .uint16, 1, "μS/cm", kind: .conductivity)],
        0x100A: [.battery()],
        0x100E: [
            .bits(.uint8, .hidden("locked", 0), .hidden("child_locked", 3)), .truth("lock", "!locked"),
            .truth("childlock", "!child_locked"),
        ],
        0x100D: [.temperature(.sint16, 0.1), .humidity(.uint16, 0.1)],
        0x100F: [.number("state", .uint8).hidden, .truth("door", "state == 1").when("product_id", is: safe)],
        0x1010: [.number("formaldehyde", .uint16, 0.01, "mg/m³", kind: .measurement)],
        0x1012: flag("power"),
        0x1013: [.number("consumable", .uint8, 1, "%", kind: .measurement)],
        0x1014: flag("moisture_detected"),
        0x1015: flag("smoke"),
        0x1017: [idle(.uint32), .truth("motion", recently)],
        0x1018: flag("light"),
        0x1019: doorState,
        0x101B: [idle(.uint32), .truth("motion", "idle_time == 0")],
        0x2000: bodyTemperature,
        0x3003: [
            .number("stopped", .uint8).hidden, .truth("toothbrush", "!stopped"), Field.value("timestamp", .timestamp),
            .number("score", .uint8).optional,
        ],
        0x4801: [float("temperature", "°C", .temperature)],
        0x4802: [.humidity(.uint8)],
        0x4803: [.battery()],
        0x4804: opening,
        0x4805: [float("illuminance", "lx", .illuminance)],
        0x4806: flag("bottom_submersion"),
        0x4808: [float("humidity", "%", .humidity)],
        0x480C: [
            .number("closed", .uint8).hidden, .truth("opening", "1").when("closed", is: 0),
            .truth("opening", "0").when("closed", is: 1),
        ],
        0x4810: sleep,
        0x4811: flag("snoring"),
        0x4818: [idle(.uint16), .truth("motion", recently)],
        0x483C: flag("pressure_present"),
        0x483D: [.number("pressure_present_duration", .uint32, 1, "s", kind: .duration)],
        0x483E: [.number("pressure_not_present_duration", .uint32, 1, "s", kind: .duration)],
        0x483F: [.number("pressure_present_time_set", .uint32, 1, "s", kind: .duration)],
        0x4840: [.number("pressure_not_present_time_set", .uint32, 1, "s", kind: .duration)],
        0x484E: [
            .number("presence", .uint8).hidden,
            .truth("occupancy", "presence == 1").when("product_id", is: occupancySensor),
            .truth("occupancy", "presence").unless("product_id", is: occupancySensor),
        ],
        0x4851: [.number("duration_detected", .uint8, 1, "min", kind: .duration)],
        0x4852: [.number("duration_cleared", .uint8, 1, "min", kind: .duration)],
        0x487B: flag("top_splash"),
        0x4A68: [
            .number("alarm", .uint8).hidden,
            .truth("bottom_submersion", "1").when("alarm", is: 0),
            .truth("bottom_submersion", "0").when("alarm", is: 1),
            .truth("top_splash", "1").when("alarm", is: 2), .truth("top_splash", "0").when("alarm", is: 3),
        ],
        0x4A01: flag("battery_low"),
        0x4A08: [.truth("motion", "1"), float("illuminance", "lx", .illuminance)],
        0x4A0C: event("press"),
        0x4A0D: event("double_press"),
        0x4A0E: event("long_press"),
        0x4A0F: [
            .number("removed", .uint8).hidden, .truth("device_forcibly_removed", "removed"),
            .truth("opening", "1").when("removed", is: 1),
        ],
        0x4A12: opening,
        0x4A13: event("press"),
        0x4A1A: [
            .number("left_open", .uint8).hidden, .truth("door_left_open", "left_open"),
            .truth("opening", "1").when("left_open", is: 1),
        ],
        0x4A1C: reset,
        0x4C01: [float("temperature", "°C", .temperature)],
        0x4C02: [.humidity(.uint8)],
        0x4C03: [.battery()],
        0x4C08: [float("humidity", "%", .humidity)],
        0x4C14: [.number("mode", .uint8)],
        0x4E01: flag("battery_low"),
        0x4E0C: press,
        0x4E0D: event("double_press"),
        0x4E0E: event("long_press"),
        0x4E16: [
            .number("profile_id", .uint8),
            .number("mass", .uint32, 0.01, "kg", unknown: [0], kind: .weight).optional,
            .number("timestamp", .uint32).hidden.optional,
        ],
        0x4E17: [
            .number("bed_event", .uint8).hidden, .truth("bed_occupancy", "0").when("bed_event", is: 1),
        ],
        0x4E1C: reset,
        0x5003: [.battery()],
        0x5010: sleep,
        0x5011: flag("snoring"),
        0x5403: [.battery()],
        0x5413: flag("occupancy_close_range"),
        0x5414: [.number("mode", .uint8)],
        0x5422: [.names("charging_state", .open("charging not_charging full"))],
        0x5601: flag("battery_low"),
        0x560C: event("press"),
        0x560D: event("double_press"),
        0x560E: event("long_press"),
        0x5810: [.number("awake", .uint8).hidden, .truth("asleep", "!awake")],
        0x5A16: [
            .names("bed_event", .open(from: 1, "occupied empty double_press")),
            .truth("bed_occupancy", "bed_event == 1").unless("bed_event", is: 3),
        ],
        0x6461: [.number("taken_off", .uint8).hidden, .truth("wearing", "!taken_off")],
        0x6E16: [
            .number("profile_id", .uint8),
            .bits(
                .uint32, .hidden("raw_mass", 0...10),
                .hidden("raw_heart_rate", 11...17),
                .hidden("raw_impedance", 18...31)),
            .calculated(
                "heart_rate", "if(raw_heart_rate && raw_heart_rate < 127, raw_heart_rate + 50, null)", "bpm",
                kind: .measurement),
            // One scale sets all bits of the mass if there is no measurement.
            .calculated("has_mass", "raw_mass > 0 && raw_mass < 2047").hidden,
            .calculated("mass", "raw_mass / 10", "kg", kind: .weight).when("has_mass"),
            // The last packet of a measurement contains only the impedance at 250 kHz. The impedance in a packet with
            // a mass or a heart rate is that at 50 kHz.
            .calculated("is_last", "!has_mass && !raw_heart_rate").hidden,
            .calculated("impedance_low", "raw_impedance / 10", "Ω", kind: .measurement).unless("is_last")
                .when("raw_impedance"),
            .calculated("impedance_high", "raw_impedance / 10", "Ω", kind: .measurement).when("is_last")
                .when("raw_impedance"),
            // A person with socks has no impedance: a packet with only a mass is final, too.
            .truth("stabilized", "if(is_last, raw_impedance, !raw_impedance)"),
            .number("timestamp", .uint32).hidden,
        ],
    ]

    // Any number except 0 means true.
    private static func flag(_ name: String) -> [Field] {
        [.number("raw_\(name)", .uint8).hidden, .truth(name, "raw_\(name)")]
    }

    /// The formula of motion: there was motion in the last 30 s.
    private static let recently = "idle_time <= 30"

    private static func idle(_ type: NumberType) -> Field {
        .number("idle_time", type, 1, "s", kind: .duration)
    }

    private static func float(_ name: String, _ unit: String, _ kind: Quantity.Kind) -> Field {
        .number(name, .float32, 1, unit, kind: kind)
    }

    /// The fields of a pillow's event: a person falls asleep or wakes up, or presses the pillow twice.
    private static let sleep: [Field] = [
        .number("sleep_event", .uint8).hidden,
        .truth("asleep", "0").when("sleep_event", is: 0), .truth("asleep", "1").when("sleep_event", is: 1),
        Field.calculated("button", "1").named(NamedValues([1: "double_press"])).when("sleep_event", is: 2),
    ]

    private static let reset = [Field.bytes("rest").hidden, .truth("device_reset", "1")]

    private static let powerAndTemperature = flag("power") + [.temperature(.uint8)]

    private static let doorState =
        [Field.names("door_state", .open("open closed left_open device_reset"))]
        + (0...2).map { .truth("opening", "door_state != 1").when("door_state", is: $0) }
        + (1...2).map { .truth("door_left_open", "door_state == 2").when("door_state", is: $0) }

    private static let opening = [
        Field.names("contact", .open(from: 1, "open closed")).hidden, .truth("opening", "contact == 1"),
        .truth("door_left_open", "0").when("contact", is: 2),
        .truth("device_forcibly_removed", "0").when("contact", is: 2),
    ]

    private static let nightLight = 0x07F6
    private static let doorSensor = 0x098B
    private static let motionSensor = 0x0A8D
    private static let occupancySensor = 0x4683
    private static let safe = 0x09B0

    /// Returns the fields of the illuminance; the given products only distinguish bright and dark.
    private static func light(in products: [Int], _ formula: String) -> [Field] {
        [.number("level", .uint24).hidden]
            + products.map { .truth("light", formula).when("product_id", is: $0) }
            + [
                .calculated("illuminance", "level", "lx", kind: .illuminance)
                    .unless("product_id", isAmong: products)
            ]
    }

    private static let motionWithLight =
        [Field.truth("motion", "1")] + light(in: [nightLight, motionSensor], "level >= 100")

    private static let singleSwitch = 0x1C10

    /// The fields of a button press; the packets of one product also contain the kind of press.
    private static let press =
        event("press").map { $0.name == "button" ? $0.unless("product_id", is: singleSwitch) : $0 }
        + [1: "press", 8: "long_press", 15: "double_press"].sorted { $0.key < $1.key }.map { number, name in
            .calculated("button", "1").named(NamedValues([1: name])).when("product_id", is: singleSwitch)
                .when("button_id", is: number)
        }
}
