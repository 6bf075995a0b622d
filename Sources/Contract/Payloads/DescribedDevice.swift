package import JSON

/// The payload of `PREFIX/DEVICE/info` as another program reads it; see `ListedDevice`.
package struct DescribedDevice: Equatable, Sendable {
    /// A characteristic that the configuration lists.
    package struct Characteristic: Equatable, Sendable {
        package let name: String
        package let canWrite: Bool
        /// The reading that is the state of the characteristic: NAME or NAME.FIELD; nil: its own.
        package let state: String?
        package let fields: [DeviceInfo.Field]
    }

    package let name: String
    /// The name of the gateway that manages the device.
    package let gateway: String?
    package let address: String?
    package let characteristics: [Characteristic]

    /// - Returns: nil if the payload has no name.
    package init?(_ json: JSON) {
        guard let name = json["name"]?.string else { return nil }
        self.name = name
        gateway = json["gateway"]?.string
        address = json["address"]?.string
        characteristics = (json["characteristics"]?.object ?? [:]).map { member in
            Characteristic(
                name: member.name, canWrite: member.value["write"]?.bool ?? false,
                state: member.value["state"]?.string,
                fields: (member.value["fields"]?.array ?? []).compactMap { DeviceInfo.Field($0) })
        }
    }
}
