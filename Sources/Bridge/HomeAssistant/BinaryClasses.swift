/// The classes of Home Assistant's binary sensors (2026.11).
enum BinaryClasses {
    static let all = own.union(["battery", "carbon_monoxide", "gas", "moisture", "power"])

    /// Those that no sensor has: a number of such a class is true or false.
    static let own = Set(
        """
        battery_charging cold connectivity door garage_door glass_break heat light lock motion moving occupancy opening
        plug presence problem running safety smoke sound tamper update vibration window
        """.split(whereSeparator: \.isWhitespace).map(String.init))
}
