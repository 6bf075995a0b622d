package import Bluetooth

/// A characteristic of a connected peripheral; valid until the connection is down or the services change.
///
/// Two characteristics are equal if they represent the same object of bluetoothd.
package final class Characteristic: Hashable, Sendable {
    package let uuid: UUID
    /// The UUID of the service to which the characteristic belongs.
    package let service: UUID
    package let properties: CharacteristicProperties
    /// The ATT MTU of the connection in bytes; nil: not reported (bluetoothd before 5.62).
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

    /// Returns the largest number of bytes of one write.
    ///
    /// For a write with a response, bluetoothd splits a long value, up to the 512 bytes of an attribute (Core
    /// Specification, Vol 3, Part F, 3.2.9). Without a response, the value must fit into one packet: the MTU less 3
    /// bytes.
    package func maximumWriteLength(withResponse: Bool) -> Int {
        withResponse ? 512 : packetLength
    }

    /// The number of bytes of a value that one packet carries: the MTU less 3 bytes.
    var packetLength: Int { (maximumTransmissionUnit ?? 23) - 3 }

    /// The maximum number of bytes of a value that is written in pieces: writing takes at least 30 ms per piece.
    package static let maximumSplitLength = 4096
}
