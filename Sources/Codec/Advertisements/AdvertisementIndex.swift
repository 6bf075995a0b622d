import Bluetooth

/// An index of formats by the part of the advertisement that they decode.
///
/// With the index, an advertisement is compared with only a few of more than a hundred formats.
struct AdvertisementIndex: Sendable {
    private let formats: [AdvertisementFormat]
    private var companies: [UInt16: [Int]] = [:]
    private var services: [UUID: [Int]] = [:]
    private var anyCompany: [Int] = []
    private var presence: [Int] = []

    init(_ formats: [AdvertisementFormat]) {
        self.formats = formats
        for (index, format) in formats.enumerated() {
            switch format.match.source {
            case .company(let company): companies[company, default: []].append(index)
            case .service(let uuid), .serviceAndCompany(let uuid, _, _): services[uuid, default: []].append(index)
            case .anyCompany: anyCompany.append(index)
            case .presence: presence.append(index)
            }
        }
    }

    /// Returns the formats for the parts that the advertisement has, in the order of the indexed list.
    func formats(for advertisement: Advertisement) -> [AdvertisementFormat] {
        var indices = advertisement.manufacturerData.isEmpty ? presence : anyCompany + presence
        for company in advertisement.manufacturerData.keys { indices += companies[company] ?? [] }
        for uuid in advertisement.serviceData.keys { indices += services[uuid] ?? [] }
        return indices.sorted().map { formats[$0] }
    }
}
