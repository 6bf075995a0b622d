package import JSON
package import System

/// The health of one device: a member of `devices` in the payload of the gateway's topic `health`.
package struct DeviceHealth: Equatable, Sendable {
    /// The kinds of failures; the raw values are the names of the counters.
    package enum Failure: String, CaseIterable, Sendable {
        case connect = "connect_failed"
        case discovery = "discovery_failed"
        case pairing = "pairing_failed"
        /// The device has removed the bond.
        case bondLost = "bond_lost"
        /// The connection ended although the gateway needed it.
        case connectionLost = "connection_lost"
    }

    /// The time of the last connection, value or advertisement; nil if there was none.
    package var lastSeen: Timestamp?
    package var connects: Int
    /// The number of failed or lost connections, by kind.
    package var failures: [Failure: Int]
    package var notifications: Int
    package var decodeFailures: Int
    /// nil if the gateway does not read advertisements of the device.
    package var advertisements: AdvertisementCounters?
    /// The signal strength of the last advertisement, in dBm; nil if it is not known.
    package var rssi: Int?
    /// The charge of the battery, in percent; nil if the device does not report it.
    package var battery: JSON.Number?

    package init(
        lastSeen: Timestamp? = nil, connects: Int = 0, failures: [Failure: Int] = [:], notifications: Int = 0,
        decodeFailures: Int = 0, advertisements: AdvertisementCounters? = nil, rssi: Int? = nil,
        battery: JSON.Number? = nil
    ) {
        self.lastSeen = lastSeen
        self.connects = connects
        self.failures = failures
        self.notifications = notifications
        self.decodeFailures = decodeFailures
        self.advertisements = advertisements
        self.rssi = rssi
        self.battery = battery
    }

    package var json: JSON {
        let failures = Failure.allCases.compactMap { failure in
            self.failures[failure].map { (failure.rawValue, JSON.number($0)) }
        }
        var members: JSON.Object = [
            "last_seen": lastSeen.map { .text($0) } ?? .null, "connects": .number(connects),
            "failures": .object(JSON.Object(failures)), "notifications": .number(notifications),
            "decode_failures": .number(decodeFailures),
        ]
        members.add("advertisements", advertisements?.json)
        members.add("rssi", rssi)
        members.add("battery", battery.map { JSON.number($0) })
        return .object(members)
    }

    /// - Returns: nil if the value is not of this kind.
    package init?(_ json: JSON) {
        guard let connects = json["connects"]?.int, let failures = json["failures"]?.object,
            let notifications = json["notifications"]?.int, let decodeFailures = json["decode_failures"]?.int
        else { return nil }
        self.init(
            lastSeen: json.time("last_seen"), connects: connects, notifications: notifications,
            decodeFailures: decodeFailures,
            advertisements: json["advertisements"].flatMap { AdvertisementCounters($0) },
            rssi: json["rssi"]?.int, battery: json["battery"]?.number)
        for member in failures {
            guard let failure = Failure(rawValue: member.name), let count = member.value.int else { continue }
            self.failures[failure] = count
        }
    }
}
