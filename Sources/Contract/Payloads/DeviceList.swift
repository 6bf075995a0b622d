package import Bluetooth
package import JSON
package import System

/// The payload of `PREFIX/bridge/GATEWAY/devices`: all devices that the gateway manages.
package struct DeviceList: Equatable, Sendable {
    /// The origin of a device.
    package enum Source: String, CaseIterable, Sendable {
        /// The configuration file lists it.
        case configuration
        /// The request `device/add` added it.
        case added
        /// A fleet rule adopted it.
        case adopted
    }

    package struct Entry: Equatable, Sendable {
        package let name: String
        package let address: Address
        package let source: Source
        /// The name of the profile in the entry of the device; nil: it names none.
        package let profile: String?
        /// The value of the key `connect`, as in the configuration.
        package let connect: String
        /// The settings that the request `device/options` changed; nil: none.
        package let options: JSON.Object?
        /// The availability; nil before the first.
        package let availability: Availability?
        /// Since when the state of the availability has been the same in this run of the gateway.
        package let since: Timestamp?

        package init(
            name: String, address: Address, source: Source, profile: String? = nil, connect: String,
            options: JSON.Object?,
            availability: Availability? = nil, since: Timestamp? = nil
        ) {
            self.availability = availability
            self.since = since
            self.name = name
            self.address = address
            self.source = source
            self.profile = profile
            self.connect = connect
            self.options = options
        }
    }

    /// The devices, sorted by name.
    package let devices: [Entry]
    /// The names of the devices that the request `device/remove` removed, sorted.
    package let removed: [String]

    package init(devices: [Entry], removed: [String]) {
        self.devices = devices.sorted { $0.name < $1.name }
        self.removed = removed.sorted()
    }

    package var json: JSON {
        ["devices": .array(devices.map(\.json)), "removed": .array(removed.map { .string($0) })]
    }

    /// - Returns: nil if the payload is not of this kind.
    package init?(_ json: JSON) {
        guard let devices = json.list("devices", { Entry($0) }), let removed = json.list("removed", \.string) else {
            return nil
        }
        self.init(devices: devices, removed: removed)
    }
}

extension DeviceList.Entry {
    fileprivate var json: JSON {
        var members: JSON.Object = [
            "name": .string(name), "address": .text(address), "source": .string(source.rawValue),
        ]
        members.add("profile", text: profile)
        members["connect"] = .string(connect)
        members.add("options", options.map { JSON.object($0) })
        members.add("availability", availabilityJSON)
        return .object(members)
    }

    /// The member `availability`: that of the device's topic `availability`, with `since`.
    private var availabilityJSON: JSON? {
        guard var members = availability?.json.object else { return nil }
        members.add("since", text: since)
        return .object(members)
    }

    fileprivate init?(_ json: JSON) {
        guard let name = json["name"]?.string, let address = json.address("address"),
            let source = json["source"]?.string.flatMap({ DeviceList.Source(rawValue: $0) }),
            let connect = json["connect"]?.string
        else { return nil }
        self.init(
            name: name, address: address, source: source, profile: json["profile"]?.string, connect: connect,
            options: json["options"]?.object,
            availability: json["availability"].flatMap { Availability($0) },
            since: json["availability"]?["since"]?.string.flatMap { Timestamp($0) })
    }
}
