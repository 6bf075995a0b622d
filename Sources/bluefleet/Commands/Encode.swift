internal import Codec

/// `bluefleet encode`: the bytes that stand for a characteristic's value.
struct Encode: Command {
    static let name = "encode"
    static let summary = "the bytes for a value of a characteristic"
    static let operands = [CharacteristicReference.operand, json]
    static let options = [Option("json", "the bytes as a set topic takes them: {\"hex\":\"6908\"}")]
    static let examples = [
        "bluefleet encode temperature 21.53",
        "bluefleet encode body_sensor_location '\"chest\"'",
        "bluefleet encode heart_rate_measurement '{\"heart_rate\":72}'",
    ]

    private static let json = Operand("JSON", "the value: a number, a text in quotation marks, an object of fields")

    private let format: Format
    private let input: JSONText
    private let asJSON: Bool

    init(_ arguments: Arguments) throws(Failure) {
        format = try CharacteristicReference(arguments[CharacteristicReference.operand]).format
        input = try JSONText(arguments[Self.json])
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
        case .unknown(let field, _), .invalid(let field, _, _): input.offset(ofMember: field)
        }
    }
}
