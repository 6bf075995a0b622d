import Bluetooth
import Codec
import Configuration

/// Input for any decoder: the first bytes choose the decoder, and the others are its input.
///
/// No input may crash or hang, and every decoded value must encode to bytes with the same meaning.
package enum FuzzedInput {
    private static let characteristics = (Characteristics.all + Descriptors.all).map(\.format)
    private static let advertisements = Advertisements.all.map(\.format)
    private static let address = Address(0xC0_0000_000001)
    private static let key = AdvertisementKey("000102030405060708090a0b0c0d0e0f")

    package static func run(_ bytes: [UInt8]) {
        guard bytes.count >= 3 else { return }
        let kind = Int(bytes[1]) | Int(bytes[2]) << 8
        let rest = Array(bytes.dropFirst(3))
        switch bytes[0] % 8 {
        case 0: readBack(characteristics[kind % characteristics.count], rest)
        case 1: _ = try? advertisements[kind % advertisements.count].decode(rest)
        case 2: readAdvertisement(rest, withKey: bytes[1] & 1 == 0)
        case 3: readPart(rest, kind: kind)
        case 4: readWithFormat(rest, at: kind)
        case 5: readTexts(String(decoding: rest, as: UTF8.self))
        case 6: readWithText(rest, at: kind)
        default: readWithDamagedText(rest, at: kind)
        }
    }

    private static func readBack(_ format: Format, _ bytes: [UInt8]) {
        // No characteristic holds more bytes, and encoding writes no more.
        guard bytes.count < 512, let reading = try? format.decode(bytes) else { return }
        do {
            let encoded = try format.encode(reading.value)
            let again = try format.decode(encoded)
            let sentBack = try format.encode(.record(reading.payload))
            precondition(sentBack == encoded, "\(reading.payload) is sent back as \(sentBack.hexadecimal)\n\(format)")
            precondition(
                again == reading,
                "\(bytes.hexadecimal) is read as \(reading.value), \(encoded.hexadecimal) as \(again.value)\n\(format)")
        } catch {
            preconditionFailure(
                "\(bytes.hexadecimal) is read as \(reading.value), which cannot be written: \(error)\n\(format)")
        }
    }

    /// Decodes bytes with a format that the first bytes determine.
    private static func readWithFormat(_ bytes: [UInt8], at place: Int) {
        let middle = bytes.isEmpty ? 0 : place % bytes.count
        var source = FuzzedFormat(bytes[..<middle])
        let format = source.format()
        guard (try? format.validate()) != nil else { return }
        let content = Array(bytes[middle...])
        if source.isComplete {
            readBack(format, content)
        } else if let reading = try? format.decode(content), let encoded = try? format.encode(reading.value) {
            _ = try? format.decode(encoded)
        }
        _ = format.quantities
    }

    /// Decodes bytes with the format of a configuration, whose text the first bytes determine.
    private static func readWithText(_ bytes: [UInt8], at place: Int) {
        let middle = bytes.isEmpty ? 0 : place % bytes.count
        var source = FuzzedText(bytes[..<middle])
        read(Array(bytes[middle...]), with: source.list())
    }

    /// Decodes bytes with the format of a configuration, whose text is in the first bytes.
    private static func readWithDamagedText(_ bytes: [UInt8], at place: Int) {
        let middle = bytes.isEmpty ? 0 : place % bytes.count
        read(Array(bytes[middle...]), with: String(decoding: bytes[..<middle], as: UTF8.self))
    }

    private static func read(_ bytes: [UInt8], with text: String) {
        guard let format = try? Format.kind.read(yaml: text, file: "format") else { return }
        _ = format.quantities
        guard let reading = try? format.decode(bytes) else { return }
        _ = reading.payload
        guard let encoded = try? format.encode(reading.value) else { return }
        _ = try? format.decode(encoded)
    }

    private static func readAdvertisement(_ payload: [UInt8], withKey: Bool) {
        guard let advertisement = try? Advertisement(payload: payload) else { return }
        var decoder = AdvertisementDecoder(address: address, key: withKey ? key : nil)
        _ = try? decoder.decode(advertisement, at: .zero)
    }

    /// Decodes bytes in the part of an advertisement that a format reads.
    private static func readPart(_ bytes: [UInt8], kind: Int) {
        let match = Advertisements.all[kind % Advertisements.all.count].match
        var advertisement = Advertisement()
        advertisement.localName = match.names.first
        advertisement.serviceUUIDs = match.services
        switch match.source {
        case .company(let company): advertisement.manufacturerData[company] = bytes
        case .anyCompany:
            let company = UInt16(bytes.first ?? 0) | UInt16(bytes.dropFirst().first ?? 0) << 8
            advertisement.manufacturerData[company] = Array(bytes.dropFirst(2))
        case .service(let uuid): advertisement.serviceData[uuid] = bytes
        case .serviceAndCompany(let uuid, let length, let company):
            advertisement.serviceData[uuid] = Array(bytes.prefix(length))
            advertisement.manufacturerData[company] = Array(bytes.dropFirst(length))
        case .presence: break
        }
        for key in [nil, key] {
            var decoder = AdvertisementDecoder(address: address, key: key)
            _ = try? decoder.decode(advertisement)
        }
    }

    private static func readTexts(_ text: String) {
        _ = try? HexadecimalText(text)
        _ = BytePattern(text)
        _ = UUID(text)
        if let number = Decimal(text) {
            precondition(Decimal(number.description) == number, "\(text) is not \(number)")
        }
        guard let expression = try? Expression(text) else { return }
        let result = Field("result", .formula(Formula(expression)))
        _ = try? Format([.number("a", .sint16).hidden, result]).decode([0x34, 0x92])
    }
}
