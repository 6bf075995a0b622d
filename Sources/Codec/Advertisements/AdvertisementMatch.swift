package import Bluetooth

/// By what an advertisement is known to be of a format: what holds its bytes, and how they look.
package struct AdvertisementMatch: Hashable, Sendable {
    /// What holds the bytes.
    package enum Source: Hashable, Sendable {
        /// The data of a company.
        case company(UInt16)
        /// The data of whichever company, with the two bytes of its identifier in front: some devices put their
        /// measurements there.
        case anyCompany
        /// The data of a service.
        case service(UUID)
        /// The first so many bytes of data of a service, and then the data of a company.
        case serviceAndCompany(UUID, length: Int, UInt16)
        /// No data: its name or its services tell what it is. Counts where nothing else is said.
        case presence
    }

    package var source: Source
    /// What the bytes begin with.
    package var start: BytePattern
    /// How many bytes there may be.
    package var lengths: ClosedRange<Int>
    /// What the device's name begins with, in one of several ways; empty for any name, or none.
    package var names: [String]
    /// Services of which the device offers one; empty for any.
    package var services: [UUID]
    /// Whether the device offers no service at all.
    var isWithoutServices = false

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

    /// The parts of an advertisement that are of the format: as a rule one, or none.
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
                // Many thermometers send an iBeacon besides.
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

/// One of the data that an advertisement carries.
enum AdvertisementPart: Hashable {
    case company(UInt16)
    case service(UUID)
    case presence
}
