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
        /// Shared by all copies of the device: each of its parts at run time has one.
        private let boxedSettings: Boxed<DeviceSettings>

        package init(name: String, address: Address, settings: DeviceSettings) {
            self.name = name
            self.address = address
            boxedSettings = Boxed(settings)
        }

        package var settings: DeviceSettings { boxedSettings.value }

        /// Returns whether the devices differ at most in how Home Assistant shows them.
        package func isEqualExceptLabels(to other: Device) -> Bool {
            name == other.name && address == other.address && settings.isEqualExceptLabels(to: other.settings)
        }

        /// Returns whether the configuration decides which one of several equal characteristics is meant: by `instance`, or
        /// because another entry means another one of them.
        package func decidesInstance(of characteristic: Characteristic) -> Bool {
            characteristic.isInstanceGiven
                || settings.characteristics.contains { other in
                    other.uuid == characteristic.uuid && other.service == characteristic.service
                        && other.instance != characteristic.instance
                }
        }

        package subscript<Value>(dynamicMember part: KeyPath<DeviceSettings, Value>) -> Value {
            boxedSettings.value[keyPath: part]
        }
    }
}
