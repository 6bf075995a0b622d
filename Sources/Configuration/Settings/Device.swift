package import Bluetooth

extension Configuration {
    /// One peripheral under a name of its own, and how it is treated, whose parts are the device's own too:
    /// `device.connect`, `device.characteristics`.
    @dynamicMemberLookup
    package struct Device: Sendable, Equatable {
        /// The part of its topics after the prefix; may have several levels.
        package let name: String
        package let address: Address
        package let treatment: Treatment

        package init(name: String, address: Address, treatment: Treatment) {
            self.name = name
            self.address = address
            self.treatment = treatment
        }

        package subscript<Value>(dynamicMember part: KeyPath<Treatment, Value>) -> Value {
            treatment[keyPath: part]
        }
    }
}
