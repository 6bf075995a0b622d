import BlueZ
package import Bluetooth
package import Codec
package import System

/// The devices that were seen during a scan, with their advertised data.
///
///     var nearbyDevices = NearbyDevices()
///     let observation = await central.observe { sighting in … nearbyDevices.add(sighting, at: loop.timestamp) }
///
/// The type does no I/O.
package struct NearbyDevices: Sendable {
    private var devices: [Address: NearbyDevice] = [:]
    private let decoders: [Address: AdvertisementDecoder]

    /// The maximum number of devices: private addresses change, so new addresses keep appearing.
    private static let capacity = 1000
    /// The number of devices that stay when the maximum is reached: those with the strongest signals.
    private static let strongest = 500

    /// - Parameter decoders: the decoders of known devices, with the devices' keys and formats, by address.
    package init(_ decoders: [Address: AdvertisementDecoder] = [:]) {
        self.decoders = decoders
    }

    package var count: Int { devices.count }

    /// Adds an advertisement.
    package mutating func add(_ sighting: Sighting, at time: Timestamp) {
        let address = sighting.address
        if devices[address] == nil, devices.count >= Self.capacity { keepStrongest() }
        let decoder = decoders[address] ?? AdvertisementDecoder(address: address)
        devices[address, default: NearbyDevice(sighting, at: time, decoder)].add(sighting, at: time)
    }

    private mutating func keepStrongest() {
        devices = Dictionary(uniqueKeysWithValues: all.prefix(Self.strongest).map { ($0.address, $0) })
    }

    /// The devices that were seen, the strongest signal first.
    package var all: [NearbyDevice] {
        devices.values.sorted { ($0.rssi ?? .min, $1.address.value) > ($1.rssi ?? .min, $0.address.value) }
    }
}
