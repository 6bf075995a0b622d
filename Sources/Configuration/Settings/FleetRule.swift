package import Bluetooth

extension Configuration {
    /// Which devices that nobody listed are taken in, under which name, and how they are treated.
    package struct FleetRule: Sendable, Equatable {
        /// What a device must show; all that is given must hold.
        package struct Match: Sendable, Equatable {
            package let address: Glob?
            package let name: Glob?
            /// All of these must be advertised.
            package let services: [UUID]
            /// A company identifier of the manufacturer data.
            package let manufacturer: UInt16?
        }

        package let match: Match
        package let device: DeviceNamePattern
        package let treatment: Treatment

        /// Whether a device of this address might be one that the rule takes in, whatever it advertises.
        package func mayAdmit(_ address: Address) -> Bool {
            match.address?.matches(address.description) ?? true
        }

        /// The device this rule makes of what advertises; nil when it does not match.
        package func device(at address: Address, advertising advertisement: Advertisement) -> Device? {
            guard match.admits(address, advertisement) else { return nil }
            let name = device.name(for: address, localName: advertisement.localName)
            return Device(name: name, address: address, treatment: treatment)
        }
    }
}

extension Configuration.FleetRule.Match {
    package func admits(_ address: Address, _ advertisement: Advertisement) -> Bool {
        if let pattern = self.address, !pattern.matches(address.description) { return false }
        if let name, advertisement.localName.map(name.matches) != true { return false }
        if let manufacturer, advertisement.manufacturerData[manufacturer] == nil { return false }
        return services.allSatisfy {
            advertisement.serviceUUIDs.contains($0) || advertisement.serviceData[$0] != nil
        }
    }
}
