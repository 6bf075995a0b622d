extension Advertisements {
    /// The objects of MiBeacon by their types: those of the published protocol, and from 0x4800 on those of single
    /// products, as far as their meaning is known.
    static let xiaomiObjects: [Int: [Field]] = [
        0x0003: [flag("motion")],
        0x0008: [
            .number("disarmed", .uint8).hidden, .truth("armed", "!disarmed"), Field("timestamp", .timestamp).optional,
        ],
        0x000A: [.temperature(.sint16, 0.01)],
        0x000B: lock,
        0x000F: light,
        0x0010: [
            .number("stopped", .uint8).hidden, .truth("toothbrush", "!stopped"), .number("counter", .uint8).optional,
        ],
        0x1001: button,
        0x1004: [.temperature(.sint16, 0.1)],
        0x1005: [flag("power"), .temperature(.uint8)],
        0x1006: [.humidity(.uint16, 0.1)],
        0x1007: [.illuminance(.uint24)],
        0x1008: [.number("moisture", .uint8, 1, "%", homeAssistant: .moisture)],
        0x1009: [.number("conductivity", .uint16, 1, "μS/cm", homeAssistant: .conductivity)],
        0x100A: [.battery()],
        0x100D: [.temperature(.sint16, 0.1), .humidity(.uint16, 0.1)],
        0x1010: [.number("formaldehyde", .uint16, 0.01, "mg/m³", homeAssistant: .plain)],
        0x1012: [flag("power")],
        0x1013: [.number("consumable", .uint8, 1, "%", homeAssistant: .plain)],
        0x1014: [flag("moisture_detected")],
        0x1015: [flag("smoke")],
        0x1017: [idle(.uint32), .truth("motion", "idle_time == 0")],
        0x1018: [flag("light")],
        0x1019: [
            .names("door_state", .open("open closed left_open device_reset")), .truth("opening", "door_state != 1"),
        ],
        0x101B: [idle(.uint32), .truth("motion", "idle_time == 0")],
        0x4801: [float("temperature", "°C", .temperature)],
        0x4802: [.humidity(.uint8)],
        0x4803: [.battery()],
        0x4804: opening,
        0x4805: [float("illuminance", "lx", .illuminance)],
        0x4806: [flag("bottom_submersion")],
        0x4808: [float("humidity", "%", .humidity)],
        0x4818: [idle(.uint16), .truth("motion", "0")],
        0x483C: [flag("pressure_present")],
        0x483D: [.number("pressure_present_duration", .uint32, 1, "s", homeAssistant: .duration)],
        0x483E: [.number("pressure_not_present_duration", .uint32, 1, "s", homeAssistant: .duration)],
        0x484E: [.number("presence", .uint8).hidden, .truth("occupancy", "presence")],
        0x487B: [flag("top_splash")],
        0x4A68: [
            .number("alarm", .uint8).hidden, .truth("top_splash", "0").when("alarm", is: 3),
        ],
        0x4A01: [flag("battery_low")],
        0x4A08: [.truth("motion", "1"), float("illuminance", "lx", .illuminance)],
        0x4A0C: event("press"),
        0x4A0D: event("double_press"),
        0x4A0E: event("long_press"),
        0x4A12: opening,
        0x4A13: event("press"),
        0x4C01: [float("temperature", "°C", .temperature)],
        0x4C02: [.humidity(.uint8)],
        0x4C03: [.battery()],
        0x4C08: [float("humidity", "%", .humidity)],
        0x4E01: [flag("battery_low")],
        0x4E0C: event("press"),
        0x4E0D: event("double_press"),
        0x4E0E: event("long_press"),
        0x5413: [flag("occupancy_close_range")],
        0x5422: [.names("charging_state", .open("not_charging charging full"))],
        0x560C: event("press"),
        0x560D: event("double_press"),
        0x560E: event("long_press"),
        0x6E16: [
            .number("profile_id", .uint8),
            .bits(
                .uint32, .number("mass", 0...10, 0.1, "kg", unknown: [0], homeAssistant: .weight),
                .number("heart_rate", 11...17, 1, "bpm", offset: 50, unknown: [0, 127], homeAssistant: .plain),
                .number("impedance", 18...31, 0.1, "Ω", unknown: [0], homeAssistant: .plain)),
            .number("timestamp", .uint32).hidden,
        ],
    ]

    private static func flag(_ name: String) -> Field { Field(name, .boolean) }

    private static func idle(_ type: FieldType) -> Field {
        .number("idle_time", type, 1, "s", homeAssistant: .duration)
    }

    private static func float(_ name: String, _ unit: String, _ homeAssistant: HomeAssistantClass) -> Field {
        .number(name, .float32, 1, unit, homeAssistant: homeAssistant)
    }

    private static let opening = [
        Field.names("contact", .open(from: 1, "open closed")).hidden, .truth("opening", "contact == 1"),
    ]

    /// Night lights only know bright (100) and dark.
    private static let light = [
        Field.number("level", .uint24).hidden, .truth("motion", "1"),
        .truth("light", "level == 100").when("product_id", is: 0x07F6),
        .calculated("illuminance", "level", "lx", homeAssistant: .illuminance).unless("product_id", is: 0x07F6),
    ]

    /// A button; of a dimmer (product 0x03B6) its knob.
    private static let button = [
        Field.number("button_id", .uint16).unless("product_id", is: 0x03B6),
        .names("button", .open("press double_press long_press triple_press")).unless("product_id", is: 0x03B6),
        .reserved(1).when("product_id", is: 0x03B6),
        .number("turns", .sint8).hidden.when("product_id", is: 0x03B6),
        .number("action", .uint8).hidden.when("product_id", is: 0x03B6),
        .calculated("dimmer", "if(action == 4, if(turns < 0, 1, 2), 0)")
            .named(.open("press rotate_left rotate_right")).when("product_id", is: 0x03B6),
        .calculated("dimmer_steps", "abs(turns)").when("product_id", is: 0x03B6),
    ]

    /// A button of a product that has an object for each way to press it.
    private static func event(_ name: String) -> [Field] {
        [
            .calculated("button", "1").named(NamedValues([1: name])), .number("button_id", .uint8).optional,
        ]
    }

    private static let lock = [
        Field.bits(
            .uint8,
            .names(
                "lock_action", 0...3,
                .open(
                    """
                    unlock_outside_the_door lock turn_on_anti_lock turn_off_anti_lock unlock_inside_the_door
                    lock_inside_the_door turn_on_child_lock turn_off_child_lock lock_outside_the_door
                    """)),
            .names(
                "lock_method", 4...7,
                NamedValues([
                    0: "bluetooth", 1: "password", 2: "biometrics", 3: "key", 4: "turntable", 5: "nfc",
                    6: "one_time_password", 7: "two_step_verification", 8: "coercion", 10: "manual", 11: "automatic",
                    15: "abnormal",
                ]))),
        .number("key_id", .uint32), Field("timestamp", .timestamp),
    ]
}
