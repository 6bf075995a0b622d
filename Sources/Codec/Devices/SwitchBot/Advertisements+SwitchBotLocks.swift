extension Advertisements {
    /// The formats of SwitchBot's locks and keypads.
    ///
    /// Source: sblibs/pySwitchbot.
    static let switchBotLocks = [
        SwitchBot.letter(
            "lock", 0x6F,
            firstLock(
                alarms: [.shown("unlocked_alarm", 4), .shown("unclosed_alarm", 5)],
                others: [.shown("auto_lock_paused", 1), .shown("double_lock_mode", 7)],
                door: [.shown("door_open", 2)]),
            hasBattery: true),
        SwitchBot.letter("lock_lite", 0x2D, lockWithoutDoor, hasBattery: true),
        SwitchBot.model("lock_vision", "116908", lockWithoutDoor, hasBattery: true),
        SwitchBot.letter("lock_pro", 0x24, lock(proAlarms)),
        SwitchBot.model("lock_pro_wifi", "10FF90", lock(proAlarms)),
        SwitchBot.model("lock_ultra", "10A5B8", lock(ultraAlarms)),
        SwitchBot.model("lock_ultra_max", "119FB8", lock(ultraAlarms)),
        SwitchBot.model("lock_vision_pro", "116909", lock(ultraAlarms)),
        SwitchBot.letter("keypad", 0x79, [.number("attempt_state", .uint8)], hasBattery: true),
        SwitchBot.model("keypad_vision", "110378", keypad(BitField("pir_triggered_level", 0...1))),
        SwitchBot.model(
            "keypad_vision_pro", "115198",
            keypad(BitField("radar_triggered_level", 0...1), BitField("radar_triggered_distance", 2...3))),
    ]

    private static let states = NamedValues.open(
        "locked unlocked locking unlocking locking_stop unlocking_stop not_fully_locked half_locked")

    private static func firstLock(alarms: [BitField], others: [BitField], door: [BitField]) -> [Field] {
        [
            SwitchBot.sequence,
            .bits(
                .uint8,
                door + [
                    .shown("update_from_secondary_lock", 3), .names("status", 4...6, states), .shown("calibration", 7),
                ]),
            .bits(.uint8, alarms + others), Field.bits(.uint8, .shown("night_latch", 0)).optional,
        ]
    }

    private static let lockWithoutDoor = firstLock(
        alarms: [.shown("unlocked_alarm", 4)], others: [.shown("double_lock_mode", 7)], door: [])

    private static let proAlarms: [BitField] = [
        .shown("right_battery_compartment_alarm", 1), .shown("left_battery_compartment_alarm", 2),
        .shown("low_temperature_alarm", 5),
    ]

    private static let ultraAlarms: [BitField] = [BitField("battery_status", 0...2), .shown("power_alarm", 4)]

    /// Returns the fields of a later lock with the alarm bits of its model.
    private static func lock(_ alarms: [BitField]) -> [Field] {
        [
            SwitchBot.sequence, .bits(.uint8, .names("status", 3...6, states), .shown("calibration", 7)),
            .bits(
                .uint8, .shown("auto_lock_paused", 3), .shown("door_open", 4),
                .shown("door_open_from_secondary_lock", 5),
                .hidden("updates", 6...7)),
            .truth("update_from_secondary_lock", "updates"), SwitchBot.battery,
            .bits(
                .uint8, .shown("manual_unlock_linkage", 5), .shown("is_secondary_lock", 6),
                .shown("double_lock_mode", 7)),
            .bits(.uint8, alarms + [.shown("unlocked_alarm", 6), .shown("unclosed_alarm", 7)]),
        ]
    }

    private static func keypad(_ triggers: BitField...) -> [Field] {
        [
            SwitchBot.sequence, .bits(.uint8, SwitchBot.batteryLevel, .shown("battery_charging", 7)),
            .bits(
                .uint8, .shown("lockout_alarm", 0), .shown("tamper_alarm", 1), .shown("duress_alarm", 2),
                .shown("high_temperature", 6), .shown("low_temperature", 7)),
            .reserved(3), .bits(.uint8, BitField("doorbell_seq", 0...2), .shown("doorbell", 3)),
            .bits(.uint8, triggers),
        ]
    }
}
