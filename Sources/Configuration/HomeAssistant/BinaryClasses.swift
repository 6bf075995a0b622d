/// The device classes of Home Assistant's binary sensors (2026.11).
package enum BinaryClasses {
    package static let all = own.union(["battery", "carbon_monoxide", "gas", "moisture", "power"])

    /// The device classes that only binary sensors have; a number with such a class becomes a binary sensor.
    package static let own = Set(
        """
        battery_charging cold connectivity door garage_door glass_break heat light lock motion moving occupancy opening
        plug presence problem running safety smoke sound tamper update vibration window
        """.split(whereSeparator: \.isWhitespace).map(String.init))
}
