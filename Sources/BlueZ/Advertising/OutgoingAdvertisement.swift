package import Bluetooth

/// An advertisement that this machine sends.
package struct OutgoingAdvertisement: Hashable, Sendable {
    /// The adapter that sends; nil: the first one that is on.
    package var adapter: Address?
    package var localName: String?
    /// The advertising interval; bluetoothd ignores it if the kernel does not support it (before 5.11).
    package var interval: Duration
    package var serviceData: [UUID: [UInt8]]

    package init(
        through adapter: Address?, localName: String?, interval: Duration, serviceData: [UUID: [UInt8]]
    ) {
        self.adapter = adapter
        self.localName = localName
        self.interval = interval
        self.serviceData = serviceData
    }

    /// Whether bluetoothd must register the advertisement again to change to another one.
    func needsRegistration(after other: OutgoingAdvertisement) -> Bool {
        adapter != other.adapter || localName != other.localName || interval != other.interval
    }
}

/// The result of sending an advertisement.
package enum AdvertisingState: Hashable, Sendable {
    /// The adapter with this name sends.
    case sending(String)
    /// No adapter can send now, for this reason: it is off or missing.
    case waiting(String)
    /// bluetoothd refuses the advertisement, for this reason.
    case failed(String)
}
