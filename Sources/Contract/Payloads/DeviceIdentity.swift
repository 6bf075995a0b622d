package import Bluetooth
package import Codec
package import JSON

/// Manufacturer, model and versions of a device, as far as they have been read (Device Information Service 1.1).
package struct DeviceIdentity: Equatable, Sendable {
    /// The names of the members in `info`, by the UUIDs of the characteristics of the Device Information Service.
    private static let names: [UUID: String] = [
        0x2A29: "manufacturer", 0x2A24: "model", 0x2A25: "serial_number", 0x2A26: "firmware", 0x2A27: "hardware",
        0x2A28: "software",
    ]

    /// The names of the members except `manufacturer`, for the documentation.
    static var otherNames: String {
        names.values.filter { $0 != "manufacturer" }.sorted().map { "`\($0)`" }.joined(separator: ", ")
    }

    private var texts: [String: String] = [:]

    package init() {}

    /// Creates the identity from the members of the payload of `PREFIX/DEVICE/info`; other members are ignored.
    package init(_ info: JSON.Object) {
        for name in Self.names.values { texts[name] = info[name]?.string }
    }

    /// Stores the reading of a characteristic, without its control characters; returns whether the reading is part of the identity and has changed.
    package mutating func note(_ reading: Reading, of uuid: UUID) -> Bool {
        guard case .value(.string(let value), _) = reading, let name = Self.names[uuid] else { return false }
        let text = value.visible
        guard !text.isEmpty, texts[name] != text else { return false }
        texts[name] = text
        return true
    }

    /// The identity as members of the payload of `PREFIX/DEVICE/info`.
    package var info: JSON.Object {
        JSON.Object(texts.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })
    }

    /// The identity as members of `device` in Home Assistant's discovery.
    package var homeAssistant: JSON.Object {
        var members: JSON.Object = [:]
        members.add("manufacturer", texts["manufacturer"])
        members.add("model", texts["model"])
        members.add("serial_number", texts["serial_number"])
        members.add("sw_version", texts["firmware"] ?? texts["software"])
        members.add("hw_version", texts["hardware"])
        return members
    }
}
