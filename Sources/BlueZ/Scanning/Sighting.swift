package import Bluetooth

/// A device was heard.
package struct Sighting: Hashable, Sendable {
    package let address: Address
    package let kind: AddressKind
    /// The adapter that heard it, by bluetoothd's name.
    package let adapter: String
    /// What the packet said; its name and services are those that the device is known by, the data are of this packet.
    package let advertisement: Advertisement

    package init(address: Address, kind: AddressKind, adapter: String, advertisement: Advertisement) {
        self.address = address
        self.kind = kind
        self.adapter = adapter
        self.advertisement = advertisement
    }
}
