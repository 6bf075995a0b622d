internal import Codec
internal import Configuration

/// `bluefleet encode`: the bytes that stand for a characteristic's value.
struct Encode: Command {
    static let name = "encode"
    static let summary = "the bytes for a value of a characteristic"
    static let details = ["What decode --json prints, and what a reading's topic carries, is taken as it is."]
    static let operands = [characteristic, json]
    static let options = [
        Format.option, Option("json", "the bytes as a set topic takes them: {\"hex\":\"6908\"}"),
    ]
    static let examples = [
        "bluefleet encode temperature 21.53",
        "bluefleet encode body_sensor_location '\"chest\"'",
        "bluefleet encode heart_rate_measurement '{\"heart_rate\":72}'",
        "bluefleet encode --format '[{name: level, type: uint16, scale: 0.1}]' 20",
    ]

    private static let characteristic = CharacteristicReference.operand.optional
    private static let json = Operand(
        "JSON", "the value: a number, a text in quotation marks, an object of fields", isOptional: true)

    private let format: Format
    private let input: JSONText
    private let asJSON: Bool

    init(_ arguments: Arguments) throws(Failure) {
        if let format = try Format.given(in: arguments) {
            if let word = arguments[optional: Self.json] {
                throw Failure(.usage, "\(word.quotedForMessage) is one word too many beside --format")
            }
            guard let text = arguments[optional: Self.characteristic] else {
                throw Failure(.usage, "JSON is missing: \(Self.json.summary)")
            }
            self.format = format
            input = try JSONText(text)
        } else {
            format = try CharacteristicReference(try arguments.required(Self.characteristic)).format
            input = try JSONText(try arguments.required(Self.json))
        }
        asJSON = arguments.contains(.json)
    }

    func run() throws(Failure) {
        let bytes: [UInt8]
        do throws(EncodingError) {
            bytes = try format.encode(input.value)
        } catch {
            throw Failure(.badData, "\(error)\n\(Excerpt(input.text, at: offset(of: error)))")
        }
        let result: Value = ["hex": .string(bytes.hexadecimal)]
        StandardStream.output.print(asJSON ? result.description : bytes.hexadecimal)
    }

    /// Where in the text the mistake is.
    private func offset(of error: EncodingError) -> Int {
        switch error {
        case .missing: max(0, input.text.count - 1)
        case .unknown(let field, _), .invalid(let field, _, _), .tooLong(let field): input.offset(ofMember: field)
        case .misplaced(let fields): fields.first.map(input.offset(ofMember:)) ?? 0
        }
    }
}
