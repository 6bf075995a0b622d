extension Configuration {
    /// What Home Assistant, and what speaks its discovery, is told.
    package struct HomeAssistant: Sendable, Equatable {
        package enum Discovery: String, Sendable, CaseIterable {
            /// One message per device: Home Assistant 2024.11 and later.
            case device
            /// One message per entity: older ones, and openHAB.
            case component
            case none
        }

        package let discovery: Discovery
        /// Where it listens for discovery.
        package let prefix: String
    }
}

extension Configuration.HomeAssistant {
    /// A name as Home Assistant's ids can hold it: of ASCII letters, digits, `-` and `_`.
    ///
    /// What else ASCII has becomes `_`, other characters become `u` and their number: `Süd/1` is `Sufcd_1`. The names
    /// of a device's characteristics are checked to differ in this form too.
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
