extension Configuration {
    /// How Home Assistant shows a device; nil values are derived from the device itself.
    package struct DeviceLabel: Sendable, Equatable {
        /// The name to show; nil: the name of the device.
        package let title: String?
        /// The area that is suggested to Home Assistant for a new device.
        package let area: String?
        /// The icon of all entities without an icon and a device class of their own such as `mdi:sprout`.
        package let icon: String?
        package let manufacturer: String?
        package let model: String?
    }

    /// How Home Assistant shows the entities of a characteristic or of an advertised quantity.
    package struct EntityLabel: Sendable, Equatable {
        /// The name to show; nil: derived from the name of the characteristic or the quantity.
        package let title: String?
        /// The icon such as `mdi:water`; nil: that of the device class.
        package let icon: String?
        /// Whether a new entity is enabled; nil: measurements and states are, facts about the device are not.
        package let isEnabled: Bool?
    }
}

extension Configuration.EntityLabel {
    /// Returns the label, with the values of another label in the place of those that are nil.
    package func merged(over other: Self?) -> Self {
        Self(title: title ?? other?.title, icon: icon ?? other?.icon, isEnabled: isEnabled ?? other?.isEnabled)
    }
}
