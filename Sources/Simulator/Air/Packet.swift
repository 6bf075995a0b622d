import Bluetooth

/// One advertising packet as an adapter receives it.
struct Packet {
    var advertisement: Advertisement
    var appearance: UInt16?
    var isDiscoverable: Bool
    var rssi: Int16
}
