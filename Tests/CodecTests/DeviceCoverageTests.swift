import Bluetooth
import Codec
import Testing

/// Checks that each device of the table has a packet in one of the lists.
@Suite struct DeviceCoverageTests {
    /// A group of entries that differ only in how they are recognized.
    struct Device: CustomStringConvertible {
        let entries: [AdvertisementFormat]

        var description: String { entries[0].name }
    }

    static let devices = Dictionary(grouping: shown) { [$0.name] as [AnyHashable] + [$0.format] }
        .values.map { Device(entries: $0) }.sorted { $0.description < $1.description }

    /// Entries that only prevent other formats from reading their bytes.
    private static let shown = Advertisements.all.filter { !$0.format.quantities.isEmpty }

    @Test(arguments: devices)
    func `every device of the table has a packet`(device: Device) {
        let isRead = device.entries.contains { entry in
            entry.isEncrypted ? Self.decrypted.contains(entry.name) : entry.reads(anyOf: Self.advertisements)
        }
        #expect(isRead, "\(device.entries.map(\.match))")
    }

    private static let vectors = AdvertisementVectors.all.vectors
    private static let advertisements =
        vectors.compactMap(\.advertisement) + DevicePacket.all.compactMap { try? $0.advertisement }

    /// The formats that read the packets whose keys are known.
    private static let decrypted: Set<String> = {
        let packets =
            vectors.map { ($0.decoder, $0.advertisement) }
            + DevicePacket.all.map { ($0.decoder, try? $0.advertisement) }
        var names: Set<String> = []
        for case (var decoder, let advertisement?) in packets {
            names.formUnion((try? decoder.decode(advertisement).readings.map(\.format)) ?? [])
        }
        return names
    }()
}

extension AdvertisementFormat {
    /// Returns whether this format alone decodes one of the advertisements, without the other formats of the same name.
    fileprivate func reads(anyOf advertisements: [Advertisement]) -> Bool {
        let alone = AdvertisementFormat("alone", match, format)
        let fresh = AdvertisementDecoder(formats: [alone])
        return advertisements.contains { advertisement in
            guard match.source.isIn(advertisement) else { return false }
            var decoder = fresh
            return (try? decoder.decode(advertisement).readings)?.contains { $0.format == alone.name } ?? false
        }
    }
}

extension AdvertisementMatch.Source {
    fileprivate func isIn(_ advertisement: Advertisement) -> Bool {
        switch self {
        case .company(let company): advertisement.manufacturerData[company] != nil
        case .anyCompany: !advertisement.manufacturerData.isEmpty
        case .service(let uuid), .serviceAndCompany(let uuid, _, _): advertisement.serviceData[uuid] != nil
        case .presence: true
        }
    }
}
