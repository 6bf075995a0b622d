import Bluetooth

/// A receiver of advertisements: a scanning adapter.
protocol Receiver: AnyObject {
    /// The adapter in the fleet.
    var adapterModel: SimulatedFleet.Adapter { get }
    func received(_ packet: Packet, from peripheral: Peripheral)
}

/// One advertising packet as an adapter receives it.
struct Packet {
    var advertisement: Advertisement
    var appearance: UInt16?
    var isDiscoverable: Bool
    /// The received signal strength, in dBm.
    var rssi: Int16
}
