extension Advertisements {
    /// The fields of BTHome's objects, by their object ids.
    ///
    /// Source: bthome.io/format; Bluetooth-Devices/bthome-ble 3.25.0.
    static let bthomeObjects: [Int: [Field]] = {
        let fields = bthomeQuantities + bthomeEvents
        let conditions = bthomeConditions.map { ($0.key, Field.value($0.value, .boolean)) }
        return Dictionary(uniqueKeysWithValues: fields + conditions.map { ($0.0, [$0.1]) })
    }()

    private static let bthomeQuantities: [(Int, [Field])] =
        [
            (0x00, .number("packet_id", .uint8)),
            (0x01, .battery()),
            (0x02, .temperature(.sint16, 0.01)),
            (0x03, .humidity(.uint16, 0.01)),
            (0x04, .pressure(.uint24, 0.01)),
            (0x05, .illuminance(.uint24, 0.01)),
            (0x06, .number("mass", .uint16, 0.01, "kg", kind: .weight)),
            (0x07, .number("mass", .uint16, 0.01, "lb", kind: .weight)),
            (0x08, .temperature(.sint16, 0.01, name: "dew_point")),
            (0x09, .number("count", .uint8, kind: .measurement)),
            (0x0A, .number("energy", .uint24, 0.001, "kWh", kind: .energy)),
            (0x0B, .number("power", .uint24, 0.01, "W", kind: .power)),
            (0x0C, .number("voltage", .uint16, 0.001, "V", kind: .voltage)),
            (0x0D, .particles("pm25", .uint16, kind: .pm25)),
            (0x0E, .particles("pm10", .uint16, kind: .pm10)),
            (0x12, .carbonDioxide()),
            (0x13, .particles("volatile_organic_compounds", .uint16, kind: .volatileCompounds)),
            (0x14, .number("moisture", .uint16, 0.01, "%", kind: .moisture)),
            (0x2E, .humidity(.uint8)),
            (0x2F, .number("moisture", .uint8, 1, "%", kind: .moisture)),
            (0x3D, .number("count", .uint16, kind: .measurement)),
            (0x3E, .number("count", .uint32, kind: .measurement)),
            (0x3F, .number("rotation", .sint16, 0.1, "°", kind: .measurement)),
            (0x40, .number("distance", .uint16, 1, "mm", kind: .distance)),
            (0x41, .number("distance", .uint16, 0.1, "m", kind: .distance)),
            (0x42, .number("duration", .uint24, 0.001, "s", kind: .duration)),
            (0x43, .number("current", .uint16, 0.001, "A", kind: .current)),
            (0x44, .number("speed", .uint16, 0.01, "m/s", kind: .speed)),
            (0x45, .temperature(.sint16, 0.1)),
            (0x46, .number("uv_index", .uint8, 0.1, kind: .measurement)),
            (0x47, .number("volume", .uint16, 0.1, "L", kind: .volume)),
            (0x48, .number("volume", .uint16, 1, "mL", kind: .volume)),
            (0x49, .number("volume_flow_rate", .uint16, 0.001, "m³/h", kind: .volumeFlow)),
            (0x4A, .number("voltage", .uint16, 0.1, "V", kind: .voltage)),
            (0x4B, .number("gas", .uint24, 0.001, "m³", kind: .gas)),
            (0x4C, .number("gas", .uint32, 0.001, "m³", kind: .gas)),
            (0x4D, .number("energy", .uint32, 0.001, "kWh", kind: .energy)),
            (0x4E, .number("volume", .uint32, 0.001, "L", kind: .volume)),
            (0x4F, .number("water", .uint32, 0.001, "L", kind: .water)),
            (0x50, Field.value("timestamp", .timestamp)),
            (0x51, .number("acceleration", .uint16, 0.001, "m/s²", kind: .measurement)),
            (0x52, .number("gyroscope", .uint16, 0.001, "°/s", kind: .measurement)),
            (0x55, .number("volume_storage", .uint32, 0.001, "L", kind: .storedVolume)),
            (0x56, .number("conductivity", .uint16, 1, "μS/cm", kind: .conductivity)),
            (0x57, .temperature(.sint8)),
            (0x58, .temperature(.sint8, 0.35)),
            (0x59, .number("count", .sint8, kind: .measurement)),
            (0x5A, .number("count", .sint16, kind: .measurement)),
            (0x5B, .number("count", .sint32, kind: .measurement)),
            (0x5C, .number("power", .sint32, 0.01, "W", kind: .power)),
            (0x5D, .number("current", .sint16, 0.001, "A", kind: .current)),
            (0x5E, .number("direction", .uint16, 0.01, "°", kind: .measurement)),
            (0x5F, .number("precipitation", .uint16, 0.1, "mm", kind: .precipitation)),
            (0x60, .number("channel", .uint8)),
            (0x61, .number("rotational_speed", .uint16, 1, "rpm", kind: .measurement)),
            (0x62, .number("speed", .sint32, 0.000001, "m/s", kind: .speed)),
            (0x63, .number("acceleration", .sint32, 0.000001, "m/s²", kind: .measurement)),
            (0x64, .number("light_level", .uint8, kind: .measurement)),
            (0x65, .number("settings_revision", .uint8)),
            (0xF0, .number("device_type_id", .uint16)),
        ].map { ($0.0, [$0.1]) }

    private static let bthomeEvents: [(Int, [Field])] = [
        (
            0x3A,
            [
                .names(
                    "button",
                    NamedValues([
                        0: "none", 1: "press", 2: "double_press", 3: "triple_press", 4: "long_press",
                        5: "long_double_press", 6: "long_triple_press", 0x80: "hold_press", 0x81: "hold_release",
                        // Only Shelly's buttons send this number.
                        0xFE: "hold_press",
                    ]))
            ]
        ),
        (
            0x3B,
            [
                .bits(.uint8, .hidden("command_length", 0...4)),
                .names("command", .open("off on toggle step_up step_down")),
                .bytes("command_arguments", length: .field("command_length")).when("command_length"),
            ]
        ),
        (
            0x3C,
            [.names("dimmer", .open("none rotate_left rotate_right")), .number("dimmer_steps", .uint8)]
        ),
        (0x53, [.number("text_length", .uint8).hidden, .text("text", length: .field("text_length"))]),
        (0x54, [.number("raw_length", .uint8).hidden, .bytes("raw", length: .field("raw_length"))]),
        (0xF1, [.version("firmware_version", parts: 4)]),
        (0xF2, [.version("firmware_version", parts: 3)]),
    ]

    /// The names of the objects that are booleans, by their object ids.
    ///
    /// They differ from the names of the numbers: one packet may contain both, e.g. the charge of the battery in percent
    /// and whether it is low.
    private static let bthomeConditions = [
        0x0F: "generic", 0x10: "power_on", 0x11: "opening", 0x15: "battery_low", 0x16: "battery_charging",
        0x17: "carbon_monoxide", 0x18: "cold", 0x19: "connectivity", 0x1A: "door", 0x1B: "garage_door",
        0x1C: "gas_detected",
        0x1D: "heat", 0x1E: "light", 0x1F: "lock", 0x20: "moisture_detected", 0x21: "motion", 0x22: "moving",
        0x23: "occupancy",
        0x24: "plug", 0x25: "presence", 0x26: "problem", 0x27: "running", 0x28: "safety", 0x29: "smoke", 0x2A: "sound",
        0x2B: "tamper", 0x2C: "vibration", 0x2D: "window",
    ]
}
