/// One received advertisement of a device.
package struct Sighting: Hashable, Sendable {
    package let address: Address
    package let kind: AddressKind
    /// bluetoothd's name of the adapter that received the advertisement, for example `hci0`.
    package let adapter: String
    /// The content of the advertisement.
    ///
    /// The name and the services come from all advertisements of the device. The data come from this packet.
    package let advertisement: Advertisement

    package init(address: Address, kind: AddressKind, adapter: String, advertisement: Advertisement) {
        self.address = address
        self.kind = kind
        self.adapter = adapter
        self.advertisement = advertisement
    }
}
