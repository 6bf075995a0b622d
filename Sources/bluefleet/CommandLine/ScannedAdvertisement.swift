import Bluetooth
import Codec
import JSON

/// An advertisement as `bluefleet scan --json` prints it.
struct ScannedAdvertisement {
    let advertisement: Advertisement
    /// The address of the device; nil if the JSON has none.
    let address: Address?

    /// - Parameters:
    ///   - text: The output of `scan --json`, its list of devices, or one device of it.
    ///   - wanted: The address of the device; nil: the only one.
    /// - Throws: `Failure` for other JSON, and for several devices without an address.
    init(_ text: String, of wanted: Address?) throws(Failure) {
        let json = try Self.device(in: try Self.parse(text), wanted)
        address = json["address"]?.string.flatMap { Address($0) }
        var advertisement = Advertisement()
        advertisement.localName = json["name"]?.string
        advertisement.rssi = json["rssi"]?.int
        advertisement.serviceUUIDs = (json["services"]?.array ?? []).compactMap { $0.string.flatMap { UUID($0) } }
        for member in json["manufacturer_data"]?.object ?? [:] {
            let digits = member.name.lowercased()
            guard let company = UInt16(digits.hasPrefix("0x") ? String(digits.dropFirst(2)) : digits, radix: 16) else {
                throw Failure(
                    .badData, "manufacturer_data: expected a company such as 499, found \(member.name.quotedForMessage)"
                )
            }
            advertisement.manufacturerData[company] = try Self.bytes(of: member, in: "manufacturer_data")
        }
        for member in json["service_data"]?.object ?? [:] {
            guard let service = UUID(member.name) else {
                throw Failure(
                    .badData, "service_data: expected a UUID such as FCD2, found \(member.name.quotedForMessage)")
            }
            advertisement.serviceData[service] = try Self.bytes(of: member, in: "service_data")
        }
        self.advertisement = advertisement
    }

    private static func parse(_ text: String) throws(Failure) -> JSON {
        do throws(JSONError) {
            return try JSON(parsing: text)
        } catch {
            let offset = String(decoding: text.utf8.prefix(error.offset), as: UTF8.self).count
            throw Failure(.badData, "\(error.kind): \(error.reason)\n\(Excerpt(text, at: offset))")
        }
    }

    private static func device(in json: JSON, _ wanted: Address?) throws(Failure) -> JSON {
        guard let devices = json["devices"]?.array ?? json.array else {
            guard json["manufacturer_data"] != nil || json["service_data"] != nil else {
                throw Failure(
                    .badData,
                    "expected the JSON of bluefleet scan --json, with manufacturer_data or service_data, or hexadecimal digits"
                )
            }
            return json
        }
        let matching = devices.filter { device in
            wanted == nil || device["address"]?.string.flatMap { Address($0) } == wanted
        }
        guard matching.count == 1 else {
            let advice = wanted == nil ? "name one with --address" : "none of them is \(wanted.map { "\($0)" } ?? "")"
            throw Failure(
                .badData,
                devices.isEmpty
                    ? "the JSON contains no device" : "the JSON contains \(devices.count) devices: \(advice)")
        }
        return matching[0]
    }

    private static func bytes(of member: JSON.Object.Member, in name: String) throws(Failure) -> [UInt8] {
        guard let text = member.value.string, let bytes = [UInt8](hexadecimal: text) else {
            throw Failure(.badData, "\(name): \(member.name): expected hexadecimal digits, found \(member.value)")
        }
        return bytes
    }
}
