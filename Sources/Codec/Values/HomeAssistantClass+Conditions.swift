extension HomeAssistantClass {
    /// What something that is true or false is to Home Assistant (the classes of its binary sensors), by its name; nil
    /// where the name tells nothing.
    static func condition(named name: String) -> HomeAssistantClass? {
        (classes[name] ?? (own.contains(name) ? name : nil)).map { HomeAssistantClass($0, nil) }
    }

    /// The names that are classes: those of BTHome, and of many devices.
    private static let own = Set(
        """
        battery battery_charging carbon_monoxide cold connectivity door garage_door gas heat light lock moisture motion
        moving occupancy opening plug power presence problem running safety smoke sound tamper vibration window
        """.split(whereSeparator: \.isWhitespace).map(String.init))

    private static let classes = [
        "battery_fault": "problem", "battery_low": "battery", "bottom_submersion": "moisture",
        "contact_open": "opening",
        "critical_power_state": "problem", "device_forcibly_removed": "tamper", "door_left_open": "problem",
        "door_open": "door", "door_stuck": "problem", "in_motion": "moving", "is_light": "light", "is_on": "power",
        "leak": "moisture", "low_battery": "battery", "moisture_detected": "moisture", "motion_detected": "motion",
        "occupancy_close_range": "occupancy", "open": "opening", "pressure_present": "occupancy",
        "pry_the_door": "tamper", "brushing": "running", "tampered": "tamper", "tamper_alarm": "tamper",
        "toothbrush": "running", "top_splash": "moisture",
    ]
}
