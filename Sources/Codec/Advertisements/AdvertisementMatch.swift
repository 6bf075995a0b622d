package import Bluetooth

/// The conditions by which an advertisement is recognized: the part with the data, its first bytes and its length.
package struct AdvertisementMatch: Hashable, Sendable {
    /// The part of an advertisement that contains the data.
    package enum Source: Hashable, Sendable {
        /// The manufacturer data with this company identifier.
        case company(UInt16)
        /// The manufacturer data with any company identifier, preceded by the two bytes of the identifier: some devices
        /// send measurements in place of the identifier.
        case anyCompany
        /// The service data with this UUID.
        case service(UUID)
        /// The first `length` bytes of the service data, followed by the manufacturer data.
        case serviceAndCompany(UUID, length: Int, UInt16)
        /// No data: the name or the services identify the device. Used only if no other part was decoded or rejected.
        case presence
    }

    package var source: Source
    /// The pattern that the data must begin with; empty: any data.
    package var start: BytePattern
    /// The allowed length of the data in bytes.
    package var lengths: ClosedRange<Int>
    /// The prefixes of the device's name; the name must begin with one of them.
    ///
    /// Empty: any name.
    package var names: [String]
    /// The services; the device must advertise at least one of them.
    ///
    /// Empty: any services.
    package var services: [UUID]
    /// Whether the device must not advertise any service.
    var isWithoutServices = false

    /// Creates the conditions; a condition that is omitted always holds.
    package init(
        _ source: Source, startingWith start: BytePattern = "", lengths: ClosedRange<Int> = 0...255,
        names: [String] = [], services: [UUID] = []
    ) {
        self.source = source
        self.start = start
        self.lengths = lengths
        self.names = names
        self.services = services
    }

    /// Returns the parts of an advertisement that meet the conditions, with their data; usually at most one part.
    func candidates(in advertisement: Advertisement) -> [(part: AdvertisementPart, bytes: [UInt8])] {
        guard names.isEmpty || names.contains(where: { advertisement.localName?.hasPrefix($0) ?? false }),
            services.isEmpty || services.contains(where: advertisement.offeredServices.contains),
            !isWithoutServices || advertisement.offeredServices.isEmpty
        else { return [] }
        return source.parts(of: advertisement).filter { lengths.contains($0.bytes.count) && start.matches($0.bytes) }
    }
}

extension AdvertisementMatch.Source {
    fileprivate func parts(of advertisement: Advertisement) -> [(part: AdvertisementPart, bytes: [UInt8])] {
        switch self {
        case .company(let company):
            advertisement.manufacturerData[company].map { [(.company(company), $0)] } ?? []
        case .anyCompany:
            advertisement.manufacturerData.sorted { $0.key < $1.key }.compactMap { company, data in
                // Many thermometers also send an iBeacon.
                if company == 0x004C, data.starts(with: [0x02, 0x15]) { return nil }
                return (.company(company), [UInt8(truncatingIfNeeded: company), UInt8(company >> 8)] + data)
            }
        case .service(let uuid):
            advertisement.serviceData[uuid].map { [(.service(uuid), $0)] } ?? []
        case .serviceAndCompany(let uuid, let length, let company):
            if let first = advertisement.serviceData[uuid], first.count >= length,
                let second = advertisement.manufacturerData[company]
            {
                [(.service(uuid), first.prefix(length) + second)]
            } else {
                []
            }
        case .presence: [(.presence, [])]
        }
    }
}

/// A part of an advertisement.
enum AdvertisementPart: Hashable {
    case company(UInt16)
    case service(UUID)
    case presence
}
