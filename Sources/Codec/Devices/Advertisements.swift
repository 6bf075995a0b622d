/// The advertisements whose bytes this release knows.
package enum Advertisements {
    /// Every entry of the table, in the order in which they are tried. A device is added by its entry in one of these
    /// lists, and a packet of it in the tests.
    package static let all: [AdvertisementFormat] =
        bthome + ruuvi + thermometers + xiaomi + xiaomiScales + qingping + govee + goveeProbes + inkbird + thermoPro
        + thermoBeacon
        + blueMaestro + hygrometers + sensirion + sensorPush + airMonitors + mopeka + victron + oralB + switchBot
        + scales
        + broodMinder + meters
        + motionSensors + appliances + others + apple + trackers + beacons

    static let index = AdvertisementIndex(all)
}
