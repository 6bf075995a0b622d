internal import Codec

/// `bluefleet decode`: what a characteristic's bytes mean.
struct Decode: Command {
    static let name = "decode"
    static let summary = "what the bytes of a characteristic mean"
    static let operands = [CharacteristicReference.operand, hex]
    static let options = [
        Option("json", "what the reading's payload would carry, without its time")
    ]
    static let examples = [
        "bluefleet decode temperature 6908",
        "bluefleet decode --json heart_rate_measurement '16 48 40 03'",
    ]

    private static let hex = Operand("HEX", "the bytes, in the order of the air: 6908, '69 08' or 69:08")

    private let format: Format
    private let input: HexadecimalText
    private let asJSON: Bool

    init(_ arguments: Arguments) throws(Failure) {
        format = try CharacteristicReference(arguments[CharacteristicReference.operand]).format
        input = try HexadecimalText(arguments[Self.hex])
        asJSON = arguments.contains(.json)
    }

    func run() throws(Failure) {
        let reading: Reading
        do throws(DecodingError) {
            reading = try format.decode(input.bytes)
        } catch {
            throw Failure(.badData, error.description + pointer(to: error))
        }
        StandardStream.output.print(asJSON ? Value.record(reading.payload).description : reading.text)
    }

    private func pointer(to error: DecodingError) -> String {
        switch error {
        case .tooShort: "\n\(Excerpt(input.text, at: input.text.count))"
        case .tooLong(let expected, _): "\n\(Excerpt(input.text, at: input.offset(ofByte: expected)))"
        case .invalid: ""
        }
    }
}
