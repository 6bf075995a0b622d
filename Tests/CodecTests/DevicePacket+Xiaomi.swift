import Bluetooth
import Codec
import JSON

extension DevicePacket {
    /// Xiaomi's objects, each in a packet of a product with a layout of its own.
    static let xiaomi = [
        mibeacon("is charged", "0000", "2254 01 00", ["charging_state": "charging", "charging_state_number": 0]),
        mibeacon(
            "is not charged", "0000", "2254 01 01", ["charging_state": "not_charging", "charging_state_number": 1]),
        mibeacon("saw motion in the light", "8D0A", "0F00 03 000100", ["motion": true, "light": true]),
        mibeacon("saw motion in the dark", "8D0A", "0F00 03 000000", ["motion": true, "light": false]),
        mibeacon("saw motion in a night light's light", "F607", "0F00 03 650000", ["motion": true, "light": true]),
        mibeacon("saw motion and how bright it is", "830A", "0F00 03 640000", ["motion": true, "illuminance": 100]),
        mibeacon("knows bright and dark", "8B09", "0710 03 640000", ["light": true]),
        mibeacon("knows dark", "F607", "0710 03 010000", ["light": false]),
        mibeacon("knows how bright it is", "9800", "0710 03 640000", ["illuminance": 100]),
        mibeacon(
            "locks for a child", "9F06", "0B00 09 A6 00000000 00000000",
            lock(6, "turn_on_child_lock", "childlock", false)),
        mibeacon(
            "unlocks for a child", "9F06", "0B00 09 A7 00000000 00000000",
            lock(7, "turn_off_child_lock", "childlock", true)),
        mibeacon(
            "locks against picking", "9F06", "0B00 09 A2 00000000 00000000",
            lock(2, "turn_on_anti_lock", "antilock", false)),
        mibeacon(
            "unlocks against picking", "9F06", "0B00 09 A3 00000000 00000000",
            lock(3, "turn_off_anti_lock", "antilock", true)),
        mibeacon("locks its bolt", "9F06", "0B00 09 A1 00000000 00000000", lock(1, "lock", "lock", false)),
        mibeacon(
            "has one lock for everything", "8407", "0B00 09 A7 00000000 00000000",
            lock(7, "turn_off_child_lock", "lock", true)),
        mibeacon(
            "is opened without its anti-lock", "8407", "0B00 09 A3 00000000 00000000",
            lock(3, "turn_off_anti_lock", "lock", true)),
        mibeacon(
            "reports an unknown action on its lock", "8407", "0B00 09 A9 00000000 00000000",
            [
                "lock_action": 9, "lock_method": "manual", "lock_method_number": 10, "key_id": 0,
                "timestamp": .null,
            ]),
        mibeacon("is turned to the right", "B603", "0110 03 00 03 04", dimmer("rotate_right", 2, steps: 3)),
        mibeacon("is turned to the left", "B603", "0110 03 00 FF 04", dimmer("rotate_left", 1, steps: 1)),
        mibeacon(
            "is turned to the left while pressed", "B603", "0110 03 FD 00 04",
            dimmer("rotate_left_pressed", 4, steps: 3)),
        mibeacon(
            "is turned to the right while pressed", "B603", "0110 03 03 00 04",
            dimmer("rotate_right_pressed", 5, steps: 3)),
        mibeacon("is pressed twice", "B603", "0110 03 00 02 03", dimmer("press", 0, steps: 2)),
        mibeacon(
            "is held for two seconds", "B603", "0110 03 01 02 03",
            ["dimmer": "long_press", "dimmer_number": 3, "dimmer_duration": 2]),
        mibeacon(
            "has a switch that is pressed", "101C", "0C4E 01 01",
            ["button_id": 1, "button": "press", "button_number": 1]),
        mibeacon(
            "has a switch that is held", "101C", "0C4E 01 08",
            ["button_id": 8, "button": "long_press", "button_number": 1]),
        mibeacon(
            "has a switch that is pressed twice", "101C", "0C4E 01 0F",
            ["button_id": 15, "button": "double_press", "button_number": 1]),
        mibeacon("is a button", "8723", "0C4E 01 08", ["button_id": 8, "button": "press", "button_number": 1]),
        mibeacon("brushed well", "0608", "1000 02 014B", ["toothbrush": false, "score": 75]),
        mibeacon("begins to brush", "0608", "1000 02 004B", ["toothbrush": true, "counter": 75]),
        mibeacon("no longer detects a person", "8346", "4E48 01 02", ["occupancy": false]),
        mibeacon("detects a person", "8346", "4E48 01 01", ["occupancy": true]),
        mibeacon("sees two", "FB50", "4E48 01 02", ["occupancy": true]),
        mibeacon("is reset", "D603", "1910 01 03", ["door_state": "device_reset", "door_state_number": 3]),
        mibeacon(
            "is left open", "D603", "1910 01 02",
            ["door_state": "left_open", "door_state_number": 2, "opening": true, "door_left_open": true]),
        mibeacon("is opened", "D603", "1910 01 00", ["door_state": "open", "door_state_number": 0, "opening": true]),
        mibeacon("stands in water", "7563", "684A 01 00", ["bottom_submersion": true]),
        mibeacon("stands in water no more", "7563", "684A 01 01", ["bottom_submersion": false]),
        mibeacon("is splashed", "7563", "684A 01 02", ["top_splash": true]),
        mibeacon("is splashed no more", "7563", "684A 01 03", ["top_splash": false]),
        mibeacon(
            "measures at its lower frequency", "D930", "166E 09 01 F202B007 00000000",
            ["profile_id": 1, "heart_rate": .null, "mass": 75.4, "impedance_low": 49.2, "stabilized": false]),
        mibeacon(
            "measures a heart rate without a mass", "054B", "166E 09 01 FFB71040 00000000",
            ["profile_id": 1, "heart_rate": 72, "impedance_low": 410, "stabilized": false]),
        mibeacon(
            "measures at its higher frequency", "054B", "166E 09 01 FF07B007 00000000",
            ["profile_id": 1, "heart_rate": .null, "impedance_high": 49.2, "stabilized": true]),
        mibeacon(
            "measures a person with socks", "D53B", "166E 09 01 C8020000 00000000",
            ["profile_id": 1, "heart_rate": .null, "mass": 71.2, "stabilized": true]),
        mibeacon(
            "is a pillow of a sleeping person", "A12F", "1050 01 01 1150 01 01", ["asleep": true, "snoring": true]),
        mibeacon(
            "is a pillow that is pressed twice", "A12F", "1048 01 02", ["button": "double_press", "button_number": 1]),
        mibeacon("is a bed that is left", "6730", "174E 01 01", ["bed_occupancy": false]),
        mibeacon("has a newer battery object", "6730", "0354 01 40", ["battery": 64]),
        mibeacon("is still in its place", "8918", "0F4A 01 00", ["device_forcibly_removed": false]),
        mibeacon("is torn off", "8918", "0F4A 01 01", ["device_forcibly_removed": true, "opening": true]),
        mibeacon("is not left open", "8918", "1A4A 01 00", ["door_left_open": false]),
        mibeacon("is left open for long", "8918", "1A4A 01 01", ["door_left_open": true, "opening": true]),
        mibeacon("is a window that opens", "D178", "0C48 01 00", ["opening": true]),
        mibeacon("is a window that closes", "D178", "0C48 01 01", ["opening": false]),
        mibeacon("is a safe with its door open", "B009", "0F10 01 01", ["door": true]),
        mibeacon("is worn by a sleeping person", "FA59", "1058 01 00 6164 01 00", ["asleep": true, "wearing": true]),
        mibeacon("is taken off", "FA59", "1058 01 01 6164 01 01", ["asleep": false, "wearing": false]),
        mibeacon("says more than true", "6308", "1410 01 02", ["moisture_detected": true]),
    ]

    private static func mibeacon(_ what: String, _ product: String, _ object: String, _ expected: Value) -> DevicePacket
    {
        DevicePacket(
            "a product \(product) of Xiaomi that \(what)", service: 0xFE95, "4050 \(product) 07 \(object)", expected)
    }

    private static func lock(_ number: Int, _ action: String, _ name: String, _ isOpen: Bool) -> Value {
        .record(
            Record([
                ("lock_action", .string(action)), ("lock_action_number", .number(Decimal(number))),
                ("lock_method", "manual"), ("lock_method_number", 10), ("key_id", 0), (name, .boolean(isOpen)),
                ("timestamp", .null),
            ]))
    }

    private static func dimmer(_ name: String, _ number: Int, steps: Int) -> Value {
        .record(
            Record([
                ("dimmer", .string(name)), ("dimmer_number", .number(Decimal(number))),
                ("dimmer_steps", .number(Decimal(steps))),
            ]))
    }
}
