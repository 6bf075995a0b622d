package import Bluetooth

/// A characteristic of a connected peripheral; of use until the link is down or its services change.
///
/// Two are equal that are one object of bluetoothd's.
package final class Characteristic: Hashable, Sendable {
    package let uuid: UUID
    /// The service it belongs to.
    package let service: UUID
    package let properties: CharacteristicProperties
    /// The ATT MTU of the link, in bytes, where bluetoothd tells it (since 5.62).
    package let maximumTransmissionUnit: Int?
    package let descriptors: [Descriptor]
    let path: String

    init(
        uuid: UUID, service: UUID, properties: CharacteristicProperties, maximumTransmissionUnit: Int?,
        descriptors: [Descriptor], path: String
    ) {
        self.uuid = uuid
        self.service = service
        self.properties = properties
        self.maximumTransmissionUnit = maximumTransmissionUnit
        self.descriptors = descriptors
        self.path = path
    }

    package static func == (left: Characteristic, right: Characteristic) -> Bool {
        left === right || left.path == right.path
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(path)
    }

    /// How many bytes one write may carry.
    ///
    /// With a response bluetoothd cuts a long value into pieces, up to the 512 bytes of an attribute (Core
    /// Specification, Vol 3, Part F, 3.2.9); without one, a packet holds the MTU less three bytes.
    package func maximumWriteLength(withResponse: Bool) -> Int {
        withResponse ? 512 : (maximumTransmissionUnit ?? 23) - 3
    }
}
