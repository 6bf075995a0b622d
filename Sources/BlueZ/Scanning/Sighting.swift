package import Bluetooth

/// One received advertisement of a device.
package struct Sighting: Hashable, Sendable {
    package let address: Address
    package let kind: AddressKind
    /// The adapter that received it, by bluetoothd's name: `hci0`.
    package let adapter: String
    /// The content.
    ///
    /// Name and services are those known of the device; the data are of this packet.
    package let advertisement: Advertisement

    package init(address: Address, kind: AddressKind, adapter: String, advertisement: Advertisement) {
        self.address = address
        self.kind = kind
        self.adapter = adapter
        self.advertisement = advertisement
    }
}
