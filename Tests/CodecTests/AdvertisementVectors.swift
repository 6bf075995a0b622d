import Bluetooth
import Codec
import Foundation

/// Advertisements and their expected values, from the tests of other projects.
struct AdvertisementVectors: Decodable, Sendable {
    struct Vector: Decodable, CustomStringConvertible {
        let id: String
        let family: String
        let name: String?
        let address: String?
        let manufacturerData: [String: String]
        let serviceData: [String: String]
        let serviceUUIDs: [String]?
        let bindkey: String?
        let decryptedPayload: String?
        let expected: Expectation

        enum CodingKeys: String, CodingKey {
            case id, family, name, address, bindkey, expected
            case manufacturerData = "manufacturer_data"
            case serviceData = "service_data"
            case decryptedPayload = "decrypted_payload"
            case serviceUUIDs = "service_uuids"
        }

        var description: String { "\(id) \(family)" }
    }

    struct Expectation: Decodable {
        struct Event: Decodable {
            let type: String

            enum CodingKeys: String, CodingKey {
                case type = "event_type"
            }
        }

        let values: [String: Vectors.Expected]
        let binary: [String: Vectors.Expected]?
        let events: [String: Event]?
    }

    let vectors: [Vector]

    static let all: AdvertisementVectors = {
        do {
            let file = Bundle.module.bundleURL.appending(path: "Vectors/advertisements.json")
            return try JSONDecoder().decode(AdvertisementVectors.self, from: Data(contentsOf: file))
        } catch {
            preconditionFailure("the vectors cannot be read: \(error)")
        }
    }()
}

extension AdvertisementVectors.Vector {
    /// The advertisement; nil if the vector contains invalid digits.
    var advertisement: Advertisement? {
        var advertisement = Advertisement()
        advertisement.localName = name
        advertisement.serviceUUIDs = (serviceUUIDs ?? []).compactMap { UUID($0) }
        for (company, hex) in manufacturerData {
            guard let company = UInt16(company, radix: 16), let bytes = [UInt8](hexadecimal: hex) else { return nil }
            advertisement.manufacturerData[company] = bytes
        }
        for (service, hex) in serviceData {
            // Some vectors do not name the service.
            guard let uuid = UUID(service.filter { $0 != "?" }), let bytes = [UInt8](hexadecimal: hex) else {
                return nil
            }
            advertisement.serviceData[uuid] = bytes
        }
        return advertisement
    }

    var decoder: AdvertisementDecoder {
        AdvertisementDecoder(
            address: address.flatMap { Address($0) }, key: bindkey.flatMap { AdvertisementKey($0) })
    }
}
