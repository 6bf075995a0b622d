package import JSON

/// An entity of Home Assistant: one component of its MQTT discovery.
package struct Entity: Equatable, Sendable {
    package enum Platform: String, Sendable {
        case sensor, number, select, text, button, event
        case binarySensor = "binary_sensor"
        case `switch`

        /// Whether Home Assistant names entities of the platform after their device class.
        package var isNamedByClass: Bool {
            switch self {
            case .sensor, .binarySensor, .number, .button: true
            case .switch, .select, .text, .event: false
            }
        }
    }

    /// The name that Home Assistant shows after the device's name.
    package enum Name: Equatable, Sendable {
        case text(String)
        /// The name of the device class, in the language of each user.
        case ofItsClass
        /// No name of its own: the entity is the main function of the device.
        case ofItsDevice
    }

    package let platform: Platform
    /// The permanent identifier of the entity within its device: ASCII letters, digits, `-` and `_`.
    package let key: String
    package var name: Name
    /// The members of the entity's configuration, without `name` and `unique_id`.
    package var members: JSON.Object

    /// Returns the configuration of the entity.
    ///
    /// - Parameter identifier: the identifier of the device.
    /// - Returns: The members of the configuration.
    package func configuration(of identifier: String) -> JSON.Object {
        var configuration: JSON.Object = ["unique_id": .string("\(identifier)_\(key)")]
        switch name {
        case .text(let text): configuration["name"] = .string(text)
        case .ofItsClass: break
        case .ofItsDevice: configuration["name"] = .null
        }
        for member in members { configuration[member.name] = member.value }
        return configuration
    }
}
