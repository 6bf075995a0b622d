package import Bluetooth
import Codec

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
            /// Whether a built-in format must decode the advertisement as that of a sensor.
            package let isDecoded: Bool
            /// The weakest signal, in dBm; nil: any.
            package let weakestSignal: Int?
            /// The alternatives by which a profile recognizes its devices: one must match; nil: any device matches.
            let recognition: [Match]?
        }

        package let match: Match
        /// How long the rule adopts devices after a start or a request; nil: always.
        package let permit: Duration?
        package let device: DeviceNamePattern
        package let settings: DeviceSettings

        /// Returns whether the rule allows the address; whether it admits the device also depends on the advertisement.
        package func mayAdmit(_ address: Address) -> Bool {
            match.address?.matches(address.description) ?? true
        }

        /// Returns the device for an advertisement; nil if the rule does not match.
        package func device(at address: Address, advertising advertisement: Advertisement) -> Device? {
            let isDecoded = match.isDecoded && FleetRule.isDecoded(advertisement, from: address)
            guard match.admits(address, advertisement, isDecoded: isDecoded) else { return nil }
            let name = device.name(for: address, localName: advertisement.localName)
            return Device(name: name, address: address, settings: settings)
        }

        /// Returns whether a built-in format decodes the advertisement as that of a sensor.
        package static func isDecoded(_ advertisement: Advertisement, from address: Address) -> Bool {
            var decoder = AdvertisementDecoder(address: address)
            return (try? decoder.decode(advertisement))?.isOfSensor ?? false
        }
    }
}

extension Configuration.FleetRule.Match {
    /// Returns whether a device has all properties.
    ///
    /// - Parameters:
    ///   - address: The address of the device.
    ///   - advertisement: What the device advertises.
    ///   - isDecoded: Whether a built-in format decodes the advertisement as that of a sensor.
    /// - Returns: Whether the rule matches.
    package func admits(_ address: Address, _ advertisement: Advertisement, isDecoded: Bool) -> Bool {
        if self.isDecoded, !isDecoded { return false }
        if let weakestSignal, let rssi = advertisement.rssi, rssi < weakestSignal { return false }
        if let recognition, !recognition.contains(where: { $0.admits(address, advertisement, isDecoded: false) }) {
            return false
        }
        if let pattern = self.address, !pattern.matches(address.description) { return false }
        if let name, advertisement.localName.map(name.matches) != true { return false }
        if let manufacturer, advertisement.manufacturerData[manufacturer] == nil { return false }
        return services.allSatisfy {
            advertisement.serviceUUIDs.contains($0) || advertisement.serviceData[$0] != nil
        }
    }
}
