/// The device classes of Home Assistant's binary sensors (2026.11).
enum BinaryClasses {
    static let all = own.union(["battery", "carbon_monoxide", "gas", "moisture", "power"])

    /// The classes that no sensor has: a number with such a class is a truth value.
    static let own = Set(
        """
        battery_charging cold connectivity door garage_door glass_break heat light lock motion moving occupancy opening
        plug presence problem running safety smoke sound tamper update vibration window
        """.split(whereSeparator: \.isWhitespace).map(String.init))
}
