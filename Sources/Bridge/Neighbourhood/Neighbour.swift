internal import BlueZ
package import Bluetooth
package import Codec
package import EventLoop

extension Neighbourhood {
    /// A device that was heard, and what its advertisements have said so far.
    package struct Neighbour: Sendable {
        package let address: Address
        package private(set) var kind: AddressKind
        /// The adapter that heard it last.
        package private(set) var adapter: String
        package private(set) var name: String?
        /// In dBm, as heard last.
        package private(set) var rssi: Int?
        package private(set) var lastHeard: Timestamp
        package private(set) var services: [UUID] = []
        /// By company.
        package private(set) var manufacturerData: [UInt16: [UInt8]] = [:]
        package private(set) var serviceData: [UUID: [UInt8]] = [:]
        /// What it said last, by the name of the format.
        package private(set) var readings: [String: Reading] = [:]
        /// Why its data cannot be read; nil where they can, or there are none.
        package private(set) var obstacle: AdvertisementError?
        private var decoder: AdvertisementDecoder

        init(_ sighting: Sighting, at time: Timestamp, _ decoder: AdvertisementDecoder) {
            address = sighting.address
            kind = sighting.kind
            adapter = sighting.adapter
            lastHeard = time
            self.decoder = decoder
        }

        /// It was heard.
        mutating func take(_ sighting: Sighting, at time: Timestamp) {
            let packet = sighting.advertisement
            kind = sighting.kind
            adapter = sighting.adapter
            lastHeard = time
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
                for reading in contents.readings { readings[reading.format] = reading.reading }
                obstacle = contents.refusal
            } catch {
                obstacle = error
            }
        }
    }
}
