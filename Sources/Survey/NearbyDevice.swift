import BlueZ
package import Bluetooth
package import Codec
package import System

/// A device that was seen, with the data of its advertisements so far.
package struct NearbyDevice: Sendable {
    package let address: Address
    package private(set) var kind: AddressKind
    /// The name of the adapter that received the last advertisement of the device.
    package private(set) var adapter: String
    package private(set) var name: String?
    /// The last signal strength in dBm.
    package private(set) var rssi: Int?
    package private(set) var lastSeen: Timestamp
    package private(set) var services: [UUID] = []
    /// The manufacturer data, by company identifier.
    package private(set) var manufacturerData: [UInt16: [UInt8]] = [:]
    package private(set) var serviceData: [UUID: [UInt8]] = [:]
    /// The last value of each quantity, by the name of the format: some sensors send their quantities in turn.
    package private(set) var readings: [String: Reading] = [:]
    /// The reason why the last data cannot be decoded; nil if the data was decoded or if there is no data.
    package private(set) var obstacle: AdvertisementError?
    private var decoder: AdvertisementDecoder

    /// The quantities in the readings, sorted by format.
    package var quantities: [Quantity] {
        readings.sorted { $0.key < $1.key }.flatMap { format, reading -> [Quantity] in
            guard case .fields(let members) = reading else { return [] }
            return members.compactMap { AdvertisedQuantity($0, of: format).meaning([]) }
        }
    }

    /// Whether the last data is encrypted and the decoder has no key.
    package var needsKey: Bool { obstacle == .noKey }

    package init(_ sighting: Sighting, at time: Timestamp, _ decoder: AdvertisementDecoder) {
        address = sighting.address
        kind = sighting.kind
        adapter = sighting.adapter
        lastSeen = time
        self.decoder = decoder
    }

    /// Adds an advertisement of the device.
    package mutating func add(_ sighting: Sighting, at time: Timestamp) {
        let packet = sighting.advertisement
        kind = sighting.kind
        adapter = sighting.adapter
        lastSeen = time
        name = packet.localName ?? name
        rssi = packet.rssi ?? rssi
        for service in packet.offeredServices where !services.contains(service) { services.append(service) }
        manufacturerData.merge(packet.manufacturerData) { $1 }
        serviceData.merge(packet.serviceData) { $1 }
        decode(packet)
    }

    private mutating func decode(_ packet: Advertisement) {
        guard !packet.manufacturerData.isEmpty || !packet.serviceData.isEmpty else { return }
        do throws(AdvertisementError) {
            let contents = try decoder.decode(packet)
            for reading in contents.readings {
                let earlier = readings[reading.format]
                readings[reading.format] = earlier.map { $0.updated(with: reading.reading) } ?? reading.reading
            }
            obstacle = contents.refusal
        } catch {
            obstacle = error
        }
    }
}

extension Reading {
    /// Returns the values of a later reading, and the values of this one that the later one lacks.
    fileprivate func updated(with later: Reading) -> Reading {
        guard case .fields(let old) = self, case .fields(let new) = later else { return later }
        let updated = old.map { member in new.first { $0.name == member.name } ?? member }
        return .fields(updated + new.filter { member in !old.contains { $0.name == member.name } })
    }
}
