import Bluetooth
import Codec
import JSON
import Testing

@Suite struct AdvertisementVectorTests {
    static let vectors = AdvertisementVectors.all.vectors

    @Test(arguments: vectors.filter { $0.isHeard && UnmatchedVectors.reasons[$0.id] == nil })
    func `an advertisement decodes to the expected values`(vector: AdvertisementVectors.Vector) throws {
        #expect(vector.differences == [], "\(Value.record(vector.payload))")
    }

    @Test func `every vector on the list of differences differs`() {
        let listed = Self.vectors.filter { UnmatchedVectors.reasons[$0.id] != nil }
        #expect(listed.count == UnmatchedVectors.reasons.count)
        for vector in listed { #expect(!vector.differences.isEmpty, "\(vector)") }
    }

    @Test(arguments: vectors.filter { $0.decryptedPayload != nil })
    func `a Victron record decodes to the expected values`(vector: AdvertisementVectors.Vector) throws {
        let names = [
            "BatterySense": "battery_monitor", "DcDcConverter": "dc_dc_converter", "LynxSmartBMS": "lynx_smart_bms",
            "MultiRS": "multi_rs",
        ]
        let family = String(vector.family.split(separator: ":")[1])
        let format = try #require(Advertisements.all.first { $0.name == "victron_\(names[family] ?? family)" })
        let payload = try #require([UInt8](hexadecimal: vector.decryptedPayload ?? ""))
        let reading = try format.format.decode([UInt8](repeating: 0, count: 8) + payload).payload
        for (name, value) in vector.expected.values where name != "model_name" {
            #expect(value.isClose(to: try #require(reading[name])), "\(name)")
        }
    }
}

extension AdvertisementVectors.Vector {
    /// Whether the object has bytes of its own, and not only the bytes of an inner record.
    fileprivate var isHeard: Bool { decryptedPayload == nil }

    /// The members of all parts of the advertisement; of equal names the first one counts.
    fileprivate var payload: Record {
        var decoder = decoder
        guard let advertisement, let readings = try? decoder.decode(advertisement).readings else { return Record() }
        return readings.payload
    }

    /// Returns the expected values that the payload does not have.
    fileprivate var differences: [String] {
        let payload = payload
        let values = expected.values.merging(expected.binary ?? [:]) { first, _ in first }
        var differences: [String] = []
        for (field, value) in values.sorted(by: { $0.key < $1.key }) {
            // Some vectors append the part of the device to the name of the quantity.
            let field = String(field.prefix { $0 != "@" })
            if VectorNames.ignored.contains(field) { continue }
            let names = VectorNames.names(for: field)
            if let found = names.lazy.compactMap({ payload[$0] }).first {
                let factor = VectorNames.factor(for: field, in: family)
                if !value.isClose(to: found, factor: factor) { differences.append("\(field) is \(found)") }
            } else if value.isNeeded {
                differences.append("\(field) is missing")
            }
        }
        for (name, event) in (expected.events ?? [:]).sorted(by: { $0.key < $1.key }) {
            let found = payload[name == "lock" ? "lock_action" : name]
            let isSame = found.map { Vectors.Expected.text(event.type).isClose(to: $0) } ?? false
            if !isSame { differences.append("\(name) is no \(event.type)") }
        }
        return differences
    }
}

extension Vectors.Expected {
    /// Returns whether a value must be present; an unknown value may be absent.
    fileprivate var isNeeded: Bool {
        if case .null = self { false } else { true }
    }

    /// Returns whether a value is equal in another unit, rounded to the expected digits, or with another spelling of
    /// its name.
    fileprivate func isClose(to value: Value, factor: Double = 1) -> Bool {
        switch self {
        case .number(let expected):
            guard let number = value.decimal?.doubleValue else { return false }
            let places = expected.description.drop { $0 != "." }.dropFirst().count
            let lastDigit = (0..<places).reduce(1.0) { digit, _ in digit / 10 }
            return abs(number * factor - expected.doubleValue) <= max(0.01, 0.5 * lastDigit)
        case .boolean(let expected): return value.decimal == (expected ? 1 : 0)
        // Other projects have a text where a device reports that it cannot measure.
        case .text("error"): return value == .null
        case .text(let expected): return value.words == expected.words
        case .null: return value == .null
        case .list, .object: return true
        }
    }
}

extension Value {
    fileprivate var decimal: Decimal? {
        switch self {
        case .number(let number): number
        case .named(_, let number): Decimal(number)
        case .boolean(let isTrue): isTrue ? 1 : 0
        default: nil
        }
    }

    fileprivate var words: String {
        switch self {
        case .string(let text), .named(let text, _): text.words
        case .bytes(let bytes): bytes.hexadecimal
        default: description
        }
    }
}

extension String {
    /// The letters and digits, in lower case.
    fileprivate var words: String {
        let letters = lowercased().filter { $0.isLetter || $0.isNumber }
        return letters.first == "v" && letters.dropFirst().allSatisfy(\.isNumber)
            ? String(letters.dropFirst()) : letters
    }
}
