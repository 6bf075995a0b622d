internal import Bluetooth
internal import Codec
internal import Configuration

/// A characteristic as a person names it: `temperature`, `2A6E`, or with its service, `environmental_sensing/temperature`.
struct CharacteristicReference {
    static let operand = Operand(
        "CHARACTERISTIC",
        "its SIG name (temperature), its UUID (2A6E), or SERVICE/CHARACTERISTIC; #2 after it is the second of several")

    let text: String
    let uuid: UUID
    /// Nil: whichever has it.
    let service: UUID?
    /// Which of several, counted from 1; nil: there is to be but one.
    let instance: Int?

    /// - Throws: `Failure` with the name that was probably meant.
    init(_ text: String) throws(Failure) {
        self.text = text
        let (text, instance) = try Self.instance(in: text)
        self.instance = instance
        guard let slash = text.lastIndex(of: "/") else {
            uuid = try Self.uuid(text, "characteristic", AssignedNumbers.characteristics)
            service = nil
            return
        }
        service = try Self.uuid(String(text[..<slash]), "service", AssignedNumbers.services)
        uuid = try Self.uuid(String(text[slash...].dropFirst()), "characteristic", AssignedNumbers.characteristics)
    }

    /// What stands before `#2`, and the number.
    private static func instance(in text: String) throws(Failure) -> (text: String, instance: Int?) {
        guard let mark = text.lastIndex(of: "#") else { return (text, nil) }
        guard let number = Int(text[mark...].dropFirst()), number > 0 else {
            throw Failure(.usage, "\(text.quotedForMessage): expected a number from 1 after #")
        }
        return (String(text[..<mark]), number)
    }

    /// How its bytes are laid out.
    ///
    /// - Throws: `Failure` where the Bluetooth SIG did not lay them out.
    var format: Format {
        get throws(Failure) {
            let definition = Characteristics.definition(of: uuid) ?? Descriptors.definition(of: uuid)
            if let definition { return definition.format }
            throw Failure(
                .badData,
                "the layout of \(text.quotedForMessage) is not known here: a format in the configuration tells it")
        }
    }

    private static func uuid(_ text: String, _ noun: String, _ names: NumberedNames) throws(Failure) -> UUID {
        // Descriptors have bytes as well.
        if let uuid = names[text] ?? AssignedNumbers.descriptors[text] ?? UUID(text) { return uuid }
        let advice =
            text.nearest(in: names.all).map { "did you mean \($0.quotedForMessage)?" }
            ?? longerNames(than: text, in: names)
        throw Failure(
            .usage,
            "unknown \(noun) \(text.quotedForMessage): " + (advice ?? "expected a name of the Bluetooth SIG, or a UUID")
        )
    }

    /// The names of which somebody wrote the beginning.
    private static func longerNames(than text: String, in names: NumberedNames) -> String? {
        let longer = names.all.filter { $0.hasPrefix(text) }.sorted()
        guard text.count > 2, !longer.isEmpty else { return nil }
        let more = longer.count > 5 ? ", …" : ""
        return "did you mean one of \(longer.prefix(5).joined(separator: ", "))\(more)?"
    }
}
