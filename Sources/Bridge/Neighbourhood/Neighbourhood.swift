package import BlueZ
package import Bluetooth
package import Codec
package import JSON

/// The devices that were heard while somebody listened, and what they said.
///
///     var neighbourhood = Neighbourhood()
///     let observation = await central.observe { sighting in … neighbourhood.take(sighting) }
///
/// A value without any input or output.
package struct Neighbourhood: Sendable {
    /// A device that was heard.
    package struct Neighbour: Sendable {
        package let address: Address
        package let kind: AddressKind
        package fileprivate(set) var name: String?
        /// In dBm, as heard last.
        package fileprivate(set) var rssi: Int?
        package fileprivate(set) var services: [UUID] = []
        /// The companies of its manufacturer data.
        package fileprivate(set) var manufacturers: [UInt16] = []
        /// What it said last, by the name of the format.
        package fileprivate(set) var readings: [String: Reading] = [:]
        /// Why its data cannot be read; nil where they can, or there are none.
        package fileprivate(set) var obstacle: AdvertisementError?
        fileprivate var decoder: AdvertisementDecoder
    }

    private var neighbours: [Address: Neighbour] = [:]
    private let decoders: [Address: AdvertisementDecoder]

    /// So many are listed; there are places where new addresses never end.
    private static let capacity = 1000

    /// - Parameter decoders: those of devices that are known, with their keys and formats.
    package init(_ decoders: [Address: AdvertisementDecoder] = [:]) {
        self.decoders = decoders
    }

    /// Takes a packet in.
    package mutating func take(_ sighting: Sighting) {
        let address = sighting.address
        guard neighbours[address] != nil || neighbours.count < Self.capacity else { return }
        let decoder = decoders[address] ?? AdvertisementDecoder(address: address)
        var neighbour = neighbours[address] ?? Neighbour(address: address, kind: sighting.kind, decoder: decoder)
        neighbour.take(sighting.advertisement)
        neighbours[address] = neighbour
    }

    /// Those that were heard, the strongest first.
    package var all: [Neighbour] {
        neighbours.values.sorted { ($0.rssi ?? .min, $1.address.value) > ($1.rssi ?? .min, $0.address.value) }
    }
}

extension Neighbourhood.Neighbour {
    fileprivate mutating func take(_ advertisement: Advertisement) {
        name = advertisement.localName ?? name
        rssi = advertisement.rssi ?? rssi
        for service in advertisement.offeredServices where !services.contains(service) { services.append(service) }
        for company in advertisement.manufacturerData.keys.sorted() where !manufacturers.contains(company) {
            manufacturers.append(company)
        }
        guard !advertisement.manufacturerData.isEmpty || !advertisement.serviceData.isEmpty else { return }
        do throws(AdvertisementError) {
            for reading in try decoder.decode(advertisement) { readings[reading.format] = reading.reading }
            obstacle = nil
        } catch {
            // Unknown bytes are nothing to report of a neighbour.
            if error != .unknown { obstacle = error }
        }
    }

    /// What a response says of it.
    package var json: JSON {
        var members: JSON.Object = ["address": .string("\(address)"), "kind": .string(kind.rawValue)]
        members.add("name", name)
        if let rssi { members["rssi"] = .number(JSON.Number(rssi)) }
        members["services"] = .array(services.map { .string("\($0)") })
        members["manufacturers"] = .array(manufacturers.map { .number(JSON.Number(Int($0))) })
        let readings = readings.sorted { $0.key < $1.key }.map { format, reading in
            (format, JSON(Value.record(reading.payload)))
        }
        members["advertisement"] = .object(JSON.Object(readings))
        members.add("reason", readings.isEmpty ? obstacle?.description : nil)
        return .object(members)
    }
}
