package import Bluetooth

extension Configuration {
    /// A rule for devices that are not listed: which devices it admits, their names and their settings.
    package struct FleetRule: Sendable, Equatable {
        /// The properties that a device must have; a property that is not given always matches.
        package struct Match: Sendable, Equatable {
            package let address: Glob?
            package let name: Glob?
            /// The services; the device must advertise all of them.
            package let services: [UUID]
            /// The company identifier that the manufacturer data must have; nil: any.
            package let manufacturer: UInt16?
        }

        package let match: Match
        package let device: DeviceNamePattern
        package let settings: DeviceSettings

        /// Returns whether the rule allows the address; whether it admits the device also depends on the advertisement.
        package func mayAdmit(_ address: Address) -> Bool {
            match.address?.matches(address.description) ?? true
        }

        /// Returns the device for an advertisement; nil if the rule does not match.
        package func device(at address: Address, advertising advertisement: Advertisement) -> Device? {
            guard match.admits(address, advertisement) else { return nil }
            let name = device.name(for: address, localName: advertisement.localName)
            return Device(name: name, address: address, settings: settings)
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
