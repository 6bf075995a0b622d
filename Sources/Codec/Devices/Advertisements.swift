/// The built-in advertisement formats.
package enum Advertisements {
    /// All formats, in the order in which they are tried.
    ///
    /// A new device needs an entry in one of the lists in `tables`, and a packet in Tests/CodecTests.
    package static let all = Array(tables.joined())

    /// The names of all quantities of the built-in formats.
    package static var quantityNames: Set<String> {
        Set(all.flatMap { $0.format.fields.flatMap(\.quantities) }.map(\.name))
    }

    /// Returns the quantities with a name in the built-in formats.
    package static func quantities(named name: String) -> [Quantity] {
        all.flatMap { $0.format.fields.flatMap(\.quantities) }.filter { $0.name == name }
    }

    static let index = AdvertisementIndex(all)

    /// The names of the formats of phones, trackers and beacons, which report only that a device is present.
    static let presence = Set([apple, trackers, beacons].joined().map(\.name))

    private static let tables: [[AdvertisementFormat]] = [
        bthome, ruuvi, thermometers, xiaomi, xiaomiScales, qingping, govee, goveeProbes, inkbird, thermoPro,
        thermoBeacon, blueMaestro, hygrometers, sensirion, sensorPush, airMonitors, mopeka, victron, oralB, switchBot,
        scales, broodMinder, meters, motionSensors, appliances, sensorBeacons,
        bodyScales, tanks, enOcean, kitchen, loggers, airSensors, industrialSensors, serviceData, apple, trackers,
        beacons,
    ]
}
