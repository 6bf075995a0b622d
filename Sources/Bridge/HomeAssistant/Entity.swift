internal import JSON

/// One thing that Home Assistant shows or sets: a component of its MQTT discovery.
struct Entity: Equatable, Sendable {
    enum Platform: String, Sendable {
        case sensor, number, select, text, button, event
        case binarySensor = "binary_sensor"
        case `switch`

        /// Whether Home Assistant has names for its classes.
        var isNamedByClass: Bool {
            switch self {
            case .sensor, .binarySensor, .number, .button: true
            case .switch, .select, .text, .event: false
            }
        }
    }

    /// What people read, after the device's name.
    enum Name: Equatable, Sendable {
        case text(String)
        /// What Home Assistant calls its class, in the language of each user.
        case ofItsClass
        /// Nothing: it is what the device is for.
        case ofItsDevice
    }

    let platform: Platform
    /// Tells it from the others of its device, for ever: of ASCII letters, digits, `-` and `_`.
    let key: String
    var name: Name
    /// The members of its configuration that are its platform's own.
    var members: JSON.Object

    /// Its configuration.
    ///
    /// - Parameter identifier: that of its device.
    func configuration(of identifier: String) -> JSON.Object {
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
