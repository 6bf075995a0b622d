package import Bluetooth

extension Configuration {
    /// A configured device: its name, its address and its settings.
    ///
    /// The settings are also properties of the device, e.g. `device.connect`.
    @dynamicMemberLookup
    package struct Device: Sendable, Equatable {
        /// One or more levels of the device's topics, which follow the prefix.
        package let name: String
        package let address: Address
        package let settings: DeviceSettings

        package init(name: String, address: Address, settings: DeviceSettings) {
            self.name = name
            self.address = address
            self.settings = settings
        }

        /// Returns whether the devices differ at most in how Home Assistant shows them.
        package func isEqualExceptLabels(to other: Device) -> Bool {
            name == other.name && address == other.address && settings.isEqualExceptLabels(to: other.settings)
        }

        package subscript<Value>(dynamicMember part: KeyPath<DeviceSettings, Value>) -> Value {
            settings[keyPath: part]
        }
    }
}
