import Codec
import Configuration

/// `bluefleet encode`: encodes a value as the bytes of a characteristic.
struct Encode: Command {
    static let name = "encode"
    static let summary = "encodes a value as the bytes of a characteristic"
    static let details = [
        """
        Accepts the output of decode --json, the payload of a reading, and the output of encode --json. As on a set \
        topic, {"hex":"6908"} and {"base64":"aQg="} are raw bytes.
        """,
        """
        In place of CHARACTERISTIC, PROFILE ENTRY names an entry of a profile (bluefleet profiles): the bytes are then those \
        of its question, which needs JSON only for a command.
        """,
    ]
    static let operands = [characteristic, json, value]
    static let options = [
        Format.option, Option("json", "print the bytes as a payload for a set topic: {\"hex\":\"6908\"}"),
    ]
    static let examples = [
        "bluefleet encode temperature 21.53",
        "bluefleet encode body_sensor_location chest",
        "bluefleet encode heart_rate_measurement '{\"heart_rate\":72}'",
        "bluefleet encode renogy/bt1 load '{\"load\":\"on\"}'",
        "bluefleet encode --format '[{name: level, type: uint16, scale: 0.1}]' 20",
    ]

    private static let characteristic = CharacteristicReference.operand.optional
    private static let json = Operand(
        "JSON", "the value: a number, a text, or an object of fields", isOptional: true)
    private static let value = Operand("VALUE", "with PROFILE ENTRY: the value in JSON", isOptional: true)

    private enum Source {
        case value(SetValue, Format)
        case question(ProfileEntry, String?)
    }

    private let source: Source
    private let asJSON: Bool

    init(_ arguments: Arguments) throws(Failure) {
        if let format = try Format.given(in: arguments) {
            if let word = arguments[optional: Self.json] {
                throw Failure(.usage, "unexpected argument \(word.quotedForMessage) with --format")
            }
            guard let text = arguments[optional: Self.characteristic] else {
                throw Failure(.usage, "missing argument JSON: \(Self.json.summary)")
            }
            source = .value(try SetValue(text, of: format), format)
        } else {
            let first = try arguments.required(Self.characteristic)
            let value = arguments[optional: Self.value]
            if let entry = try ProfileEntry(first, arguments[optional: Self.json]) {
                if let format = entry.format {
                    guard let value else { throw Failure(.usage, "missing argument VALUE: \(Self.value.summary)") }
                    source = .value(try SetValue(value, of: format), format)
                } else {
                    source = .question(entry, value)
                }
            } else {
                if let value { throw Failure(.usage, "unexpected argument \(value.quotedForMessage)") }
                let format = try CharacteristicReference(first).format
                source = .value(try SetValue(try arguments.required(Self.json), of: format), format)
            }
        }
        asJSON = arguments.contains(.json)
    }

    func run() throws(Failure) {
        let bytes = try bytes
        let result: Value = ["hex": .string(bytes.hexadecimal)]
        StandardStream.output.print(asJSON ? result.description : bytes.hexadecimal)
    }

    private var bytes: [UInt8] {
        get throws(Failure) {
            switch source {
            case .value(let input, let format): try Self.bytes(of: input, format)
            case .question(let entry, let value): try entry.question(value)
            }
        }
    }

    private static func bytes(of input: SetValue, _ format: Format) throws(Failure) -> [UInt8] {
        switch input {
        case .bytes(let bytes): return bytes
        case .text(let text, _):
            do throws(EncodingError) {
                return try format.encode(.string(text))
            } catch {
                throw Failure(.badData, "\(error)\n\(Excerpt(text, at: 0))")
            }
        case .value(let json):
            do throws(EncodingError) {
                return try format.encode(SetValue.value(of: json, for: format))
            } catch {
                throw Failure(.badData, "\(error)\n\(Excerpt(json.text, at: Self.offset(of: error, in: json)))")
            }
        }
    }

    /// Returns the position of the mistake in the text, in characters from the start.
    private static func offset(of error: EncodingError, in json: JSONText) -> Int {
        switch error {
        case .missing: max(0, json.text.count - 1)
        case .unknown(let field, _), .invalid(let field, _, _), .needs(let field, _), .tooLong(let field):
            json.offset(ofMember: field)
        case .misplaced(let fields, _): fields.first.map(json.offset(ofMember:)) ?? 0
        }
    }
}
