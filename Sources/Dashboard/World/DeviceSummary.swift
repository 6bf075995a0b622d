package import Contract
package import JSON
package import System

/// The row of a device on the page with all devices.
package struct DeviceSummary {
    package let name: String
    /// The name of the gateway that manages the device; nil if no gateway lists it.
    package let gateway: String?
    /// The names of the gateways that list the device, sorted.
    package let gateways: [String]
    package let address: String?
    package let profile: String?
    package let availability: Availability?
    /// Since when the availability has been the same; nil if it is not known.
    package let since: Timestamp?
    package let connection: ConnectionStatus?
    package let health: DeviceHealth?
    /// The signal strength in dBm.
    package let rssi: Int?
    /// The charge of the battery in percent.
    package let battery: JSON.Number?
    package let lastSeen: Timestamp?
    package let added: Timestamp?
    /// The newest values by name.
    package let readings: [String: DashboardReading]
    /// The characteristics that a click switches, by the name of the reading that is their state.
    package let switches: [String: String]
    /// The units of readings without a value, by name; a reading with a value has its own unit.
    package let units: [String: String]
}

extension World {
    /// The rows of all devices, sorted by name.
    package var summaries: [DeviceSummary] {
        deviceNames.compactMap { summary(of: $0) }
    }

    /// Returns the row of a device; nil if there is no such device.
    package func summary(of name: String) -> DeviceSummary? {
        guard let device = devices[name] else { return nil }
        let gateway = gateway(of: name)
        let record = gateway.flatMap { gateways[$0] }
        let entry = record?.entries?[name]
        let health = record?.health?.devices[name]
        var availability = device.availability ?? entry?.availability
        var since = availability?.state == entry?.availability?.state ? entry?.since : nil
        // The retained states of a gateway that has ended remain at the broker.
        if let gateway, record?.state == .offline {
            availability = Availability(state: .offline, reason: "the gateway \(gateway) is offline")
            since = nil
        }
        let battery = ["battery", "battery_level"].lazy.compactMap { device.readings[$0]?.number }.first
        return DeviceSummary(
            name: name, gateway: gateway, gateways: gateways(listing: name),
            address: entry?.address ?? device.address, profile: entry?.profile,
            availability: availability, since: since, connection: device.connection, health: health,
            rssi: device.connection?.rssi ?? health?.rssi, battery: health?.battery ?? battery,
            lastSeen: [health?.lastSeen, device.readings.values.map(\.time).max()].compactMap(\.self).max(),
            added: device.added, readings: device.readings,
            switches: device.switches.filter { device.readings[$0.key]?.isTruthValue == true },
            units: device.unitsOfMissingReadings)
    }
}

extension DeviceSummary {
    private static let mostReadings = 4

    /// Up to four readings, sorted by name: the newest numbers, then the newest states.
    package var newestReadings: [(name: String, reading: DashboardReading)] {
        let newest = readings.sorted { first, second in
            let (number, other) = (first.value.number != nil, second.value.number != nil)
            guard number == other else { return number }
            return (second.value.time, first.key) < (first.value.time, second.key)
        }
        return newest.prefix(Self.mostReadings).sorted { $0.key < $1.key }.map { (name: $0.key, reading: $0.value) }
    }
}
