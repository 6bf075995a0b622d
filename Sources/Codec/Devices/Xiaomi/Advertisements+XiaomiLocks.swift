extension Advertisements {
    /// The fields of an event of a lock's fingerprint reader.
    ///
    /// Source: Bluetooth-Devices/xiaomi-ble.
    static let fingerprint: [Field] = [
        .number("key_id", .uint32),
        .names(
            "result",
            .open(
                """
                match_successful match_failed timeout low_quality insufficient_area skin_is_too_dry skin_is_too_wet
                """)),
        .truth("fingerprint", "result == 0"),
    ]

    /// The fields of an event of a door.
    static let door: [Field] = [
        .names("door_event", .open("open closed left_open knock pry stuck")),
        .truth("door", "door_event == 0 || door_event == 2 || door_event == 4"),
        .truth("door_left_open", "door_event == 2").unless("door_event", is: 0),
        .truth("knock_on_the_door", "door_event == 3"), .truth("pry_the_door", "door_event == 4"),
        .truth("door_stuck", "door_event == 5"), Field.value("timestamp", .timestamp).optional,
    ]

    private static let handleLock = 0x0380

    /// The fields of an object that reports whether a lock is armed.
    ///
    /// One product sends the object when its outer handle is lifted.
    static let armed: [Field] = [
        .number("disarmed", .uint8).hidden, .truth("armed", "!disarmed"),
        .truth("lock", "!disarmed").when("product_id", is: handleLock),
        .calculated("lock_action", "8").named(actions).when("product_id", is: handleLock),
        .calculated("lock_method", "10").named(methods).when("product_id", is: handleLock),
        Field.value("timestamp", .timestamp).optional,
    ]

    /// The product that reports its bolt, its anti-lock and its child lock separately.
    private static let tripleLock = 0x069F
    private static let opened = [0, 3, 4, 7, 15].map { "lock_action == \($0)" }.joined(separator: " || ")

    /// The fields of an action on a lock; `lock` is true for an open lock.
    static let lock: [Field] = [
        .bits(.uint8, .names("lock_action", 0...3, actions), .names("lock_method", 4...7, methods)),
        .number("key", .uint32).hidden,
        // Only Bluetooth keys have more than two bytes; the largest numbers are errors.
        .calculated("key_id", "if(lock_method == 0 || key >= 0xC0DE0000, key, key % 65536)"),
        .truth("lock", opened).unless("product_id", is: tripleLock).unless("lock_action", isAmong: 9...14),
        .truth("lock", opened).when("product_id", is: tripleLock).unless("lock_action", isAmong: 9...14)
            .unless("lock_action", isAmong: [2, 3, 6, 7]),
        .truth("antilock", "0").when("product_id", is: tripleLock).when("lock_action", is: 2),
        .truth("antilock", "1").when("product_id", is: tripleLock).when("lock_action", is: 3),
        .truth("childlock", "0").when("product_id", is: tripleLock).when("lock_action", is: 6),
        .truth("childlock", "1").when("product_id", is: tripleLock).when("lock_action", is: 7),
        Field.value("timestamp", .timestamp),
    ]

    private static let actions = NamedValues([
        0: "unlock_outside_the_door", 1: "lock", 2: "turn_on_anti_lock", 3: "turn_off_anti_lock",
        4: "unlock_inside_the_door", 5: "lock_inside_the_door", 6: "turn_on_child_lock", 7: "turn_off_child_lock",
        8: "lock_outside_the_door", 15: "abnormal",
    ])

    private static let methods = NamedValues([
        0: "bluetooth", 1: "password", 2: "biometrics", 3: "key", 4: "turntable", 5: "nfc", 6: "one_time_password",
        7: "two_step_verification", 8: "coercion", 9: "homekit", 10: "manual", 11: "automatic", 15: "abnormal",
    ])

    /// The fields of a body thermometer that is worn under the arm.
    ///
    /// The body temperature is calculated from two sensors and is near 37 °C.
    static let bodyTemperature: [Field] = [
        .number("first", .sint16).hidden, .number("second", .sint16).hidden,
        .calculatedTemperature(
            """
            round(0.0000000000371934 * pow(2.718281828459045, 0.0069314 * first) \
            - 0.0000000102801 * pow(2.718281828459045, 0.0053871 * second) + 36.413, 2)
            """),
        .battery(),
    ]
}
