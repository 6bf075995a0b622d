import Bluetooth
import Codec
import Configuration

/// `bluefleet decode`: decodes the bytes of a characteristic or an advertisement.
struct Decode: Command {
    static let name = "decode"
    static let summary = "decodes the bytes of a characteristic or an advertisement"
    static let details = [
        """
        Needs CHARACTERISTIC and HEX, or --format and HEX, or --advertisement with a complete AD payload: every AD \
        structure with its length and type, or with the JSON of scan --json. If the device also sends a scan response, append it.
        """, ProfileEntry.explanation,
    ]
    static let operands = [characteristic, hex]
    static let options = [
        Format.option, advertisement, address, AdvertisementKey.option, AdvertisementKey.fileOption,
        Option("json", "print the JSON payload of the reading, without its time"),
    ]
    static let examples = [
        "bluefleet decode temperature 6908",
        "bluefleet decode --json heart_rate_measurement '16 48 40 03'",
        "bluefleet decode jbd/battery cells DD0400080D660D610D680D59FE3C77",
        "bluefleet decode --format '[{name: level, type: uint16, scale: 0.1}]' c800",
        "bluefleet decode --advertisement '02 01 06 09 16 d2fc 40 0164 02ca09'",
    ]

    private static let characteristic = CharacteristicReference.operand.optional
    private static let hex = Operand(
        "HEX", "the bytes in transmission order: 6908, 69 08 or 69:08", isOptional: true, isRepeated: true)
    private static let advertisement = Option(
        "advertisement", value: "HEX", "the complete payload of an advertisement, or the JSON that scan --json prints")
    private static let address = Option(
        "address", value: "ADDRESS", "the address of the device; some encryptions need it")

    private enum Source {
        case characteristic(CharacteristicBytes)
        case advertisement(AdvertisementBytes)
        case profile(ProfileEntry, [String])
    }

    private let source: Source
    private let asJSON: Bool

    init(_ arguments: Arguments) throws(Failure) {
        asJSON = arguments.contains(.json)
        let words = arguments[all: Self.characteristic] + arguments[all: Self.hex]
        if let text = arguments[Self.advertisement] {
            if arguments.contains(Format.option) {
                throw Failure(.usage, "--format and --advertisement exclude each other: remove one")
            }
            for word in words where [UInt8](hexadecimal: word) == nil {
                throw Failure(.usage, "unexpected argument \(word.quotedForMessage) with --advertisement")
            }
            source = .advertisement(
                try AdvertisementBytes(
                    ([text] + words).joined(separator: " "), address: try Self.address(in: arguments),
                    key: try AdvertisementKey.given(in: arguments)))
        } else {
            for option in [Self.address, AdvertisementKey.option, AdvertisementKey.fileOption]
            where arguments.contains(option) {
                throw Failure(.usage, "--\(option.name) requires --advertisement")
            }
            if let format = try Format.given(in: arguments) {
                if words.isEmpty { throw Failure(.usage, "missing argument HEX: \(Self.hex.summary)") }
                source = .characteristic(try CharacteristicBytes(words.joined(separator: " "), as: format))
            } else if let first = words.first, let entry = try ProfileEntry(first, words.dropFirst().first) {
                guard words.count > 2 else { throw Failure(.usage, "missing argument HEX: \(Self.hex.summary)") }
                source = .profile(entry, Array(words.dropFirst(2)))
            } else {
                if words.count == 1, Self.isHexadecimalOnly(words[0]) {
                    throw Failure(
                        .usage,
                        "missing argument CHARACTERISTIC before \(words[0].quotedForMessage), e.g. bluefleet decode "
                            + "temperature \(words[0]), or --format, or --advertisement")
                }
                let format = try CharacteristicReference(try arguments.required(Self.characteristic)).format
                _ = try arguments.required(Self.hex)
                source = .characteristic(
                    try CharacteristicBytes(arguments[all: Self.hex].joined(separator: " "), as: format))
            }
        }
    }

    /// Returns whether a word is bytes and not the UUID or the name of a characteristic with a known format.
    private static func isHexadecimalOnly(_ word: String) -> Bool {
        guard let bytes = [UInt8](hexadecimal: word), !bytes.isEmpty else { return false }
        guard let uuid = UUID(word) else { return true }
        return Characteristics.definition(of: uuid) == nil && Descriptors.definition(of: uuid) == nil
            && AssignedNumbers.characteristics[uuid] == nil
    }

    func run() throws(Failure) {
        switch source {
        case .characteristic(let bytes):
            let reading = try bytes.decode()
            print(reading.text, reading.payload)
        case .profile(let entry, let words):
            let reading = try entry.decode(words)
            print(reading.text, reading.payload)
        case .advertisement(let bytes):
            let contents = try bytes.decode()
            let readings = contents.readings
            print(readings.map { "\($0.format)\n\($0.reading.text)" }.joined(separator: "\n"), readings.payload)
            // At least one part has been decoded. If another part cannot be decoded, the command fails, unless only a
            // key is missing.
            switch contents.refusal {
            case .noKey?:
                StandardStream.error.print(
                    "bluefleet decode: another part of the advertisement is encrypted and was not decoded")
            case let refusal?: throw Failure(.badData, refusal.description)
            case nil: break
            }
        }
    }

    private func print(_ text: String, _ payload: Record) {
        StandardStream.output.print(asJSON ? Value.record(payload).description : text)
    }

    private static func address(in arguments: Arguments) throws(Failure) -> Address? {
        guard let text = arguments[address] else { return nil }
        // Hyphens in place of colons, or no separators, are accepted too.
        let digits = text.filter { $0 != ":" && $0 != "-" }
        if digits.utf8.count == 12, digits.allSatisfy(\.isHexDigit), let number = UInt64(digits, radix: 16) {
            return Address(number)
        }
        // Apple's systems replace the address by a UUID. It is accepted and has the effect of no address.
        if text.count == 36, UUID(text) != nil { return nil }
        throw Failure(.usage, "expected an address such as C0:00:00:00:00:01, found \(text.quotedForMessage)")
    }
}
