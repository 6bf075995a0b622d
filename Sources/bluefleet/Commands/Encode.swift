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
        """
    ]
    static let operands = [characteristic, json]
    static let options = [
        Format.option, Option("json", "print the bytes as a payload for a set topic: {\"hex\":\"6908\"}"),
    ]
    static let examples = [
        "bluefleet encode temperature 21.53",
        "bluefleet encode body_sensor_location chest",
        "bluefleet encode heart_rate_measurement '{\"heart_rate\":72}'",
        "bluefleet encode --format '[{name: level, type: uint16, scale: 0.1}]' 20",
    ]

    private static let characteristic = CharacteristicReference.operand.optional
    private static let json = Operand(
        "JSON", "the value: a number, a text, or an object of fields", isOptional: true)

    private let format: Format
    private let input: SetValue
    private let asJSON: Bool

    init(_ arguments: Arguments) throws(Failure) {
        if let format = try Format.given(in: arguments) {
            if let word = arguments[optional: Self.json] {
                throw Failure(.usage, "unexpected argument \(word.quotedForMessage) with --format")
            }
            guard let text = arguments[optional: Self.characteristic] else {
                throw Failure(.usage, "missing argument JSON: \(Self.json.summary)")
            }
            self.format = format
            input = try SetValue(text, of: format)
        } else {
            format = try CharacteristicReference(try arguments.required(Self.characteristic)).format
            input = try SetValue(try arguments.required(Self.json), of: format)
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
    }

    /// Returns the position of the mistake in the text, in characters from the start.
    private static func offset(of error: EncodingError, in json: JSONText) -> Int {
        switch error {
        case .missing: max(0, json.text.count - 1)
        case .unknown(let field, _), .invalid(let field, _, _), .tooLong(let field): json.offset(ofMember: field)
        case .misplaced(let fields, _): fields.first.map(json.offset(ofMember:)) ?? 0
        }
    }
}
