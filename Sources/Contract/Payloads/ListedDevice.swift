package import JSON
package import System

/// A device in the payload of `PREFIX/bridge/GATEWAY/devices`, as another program reads it.
///
/// The gateway can have another version than that program: members and values that this version does not know have no
/// effect, while `DeviceList` rejects the payload.
package struct ListedDevice: Equatable, Sendable {
    package let name: String
    package let address: String?
    /// The name of the profile in the entry of the device; nil: it names none.
    package let profile: String?
    package let availability: Availability?
    /// Since when the state of the availability has been the same.
    package let since: Timestamp?
    /// The entry with all its members, as JSON text: the value itself would use several times the memory.
    package let text: [UInt8]

    /// - Returns: nil if the entry has no name.
    package init?(_ json: JSON) {
        guard let name = json["name"]?.string, !name.isEmpty else { return nil }
        self.name = name
        address = json["address"]?.string
        profile = json["profile"]?.string
        availability = json["availability"].flatMap { Availability($0) }
        since = availability == nil ? nil : json["availability"]?.time("since")
        var text: [UInt8] = []
        json.append(to: &text)
        self.text = text
    }

    /// Returns the devices of a payload; entries without a name are left out.
    ///
    /// - Returns: nil if the payload is not of this kind.
    package static func list(_ payload: JSON) -> [ListedDevice]? {
        payload["devices"]?.array?.compactMap { ListedDevice($0) }
    }
}
