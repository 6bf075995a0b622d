extension Configuration {
    /// The announcement of devices to Home Assistant and to programs that support the same MQTT discovery.
    package struct HomeAssistant: Sendable, Equatable {
        package enum Discovery: String, Sendable, CaseIterable {
            /// One message per device, for Home Assistant 2024.11 and later.
            case device
            /// One message per entity, for earlier releases of Home Assistant and for openHAB.
            case component
            case none
        }

        package let discovery: Discovery
        /// The first levels of the discovery topics.
        package let prefix: String
    }
}

extension Configuration.HomeAssistant {
    /// Returns a name as an identifier of Home Assistant: ASCII letters, digits, `-` and `_`.
    ///
    /// Other ASCII characters become `_`. All other characters become `u` and their code: `Süd/1` is `Sufcd_1`. The
    /// identifiers of a device's characteristics are checked to be unique.
    package static func identifier(for name: String) -> String {
        name.unicodeScalars.map { scalar in
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "-": String(scalar)
            case _ where scalar.isASCII: "_"
            default: "u" + String(scalar.value, radix: 16)
            }
        }.joined()
    }
}
