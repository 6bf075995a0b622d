package import BlueZ
package import Bluetooth
package import Codec
package import EventLoop

/// The devices that were heard while somebody listened, and what they said.
///
///     var neighbourhood = Neighbourhood()
///     let observation = await central.observe { sighting in … neighbourhood.take(sighting, at: loop.timestamp) }
///
/// A value without any input or output.
package struct Neighbourhood: Sendable {
    private var neighbours: [Address: Neighbour] = [:]
    private let decoders: [Address: AdvertisementDecoder]

    /// So many are listed; there are places where new addresses never end.
    private static let capacity = 1000

    /// - Parameter decoders: those of devices that are known, with their keys and formats.
    package init(_ decoders: [Address: AdvertisementDecoder] = [:]) {
        self.decoders = decoders
    }

    package var count: Int { neighbours.count }

    /// Takes a packet in.
    package mutating func take(_ sighting: Sighting, at time: Timestamp) {
        let address = sighting.address
        guard neighbours[address] != nil || neighbours.count < Self.capacity else { return }
        let decoder = decoders[address] ?? AdvertisementDecoder(address: address)
        neighbours[address, default: Neighbour(sighting, at: time, decoder)].take(sighting, at: time)
    }

    /// Those that were heard, the strongest first.
    package var all: [Neighbour] {
        neighbours.values.sorted { ($0.rssi ?? .min, $1.address.value) > ($1.rssi ?? .min, $0.address.value) }
    }
}
