internal import Bluetooth
internal import Codec
internal import Configuration

/// A characteristic as a person names it: `temperature`, `2A6E`, or with its service, `environmental_sensing/temperature`.
struct CharacteristicReference {
    static let operand = Operand(
        "CHARACTERISTIC", "its SIG name (temperature), its UUID (2A6E), or SERVICE/CHARACTERISTIC")

    let text: String
    let uuid: UUID
    /// Nil: whichever has it.
    let service: UUID?

    /// - Throws: `Failure` with the name that was probably meant.
    init(_ text: String) throws(Failure) {
        self.text = text
        guard let slash = text.lastIndex(of: "/") else {
            uuid = try Self.uuid(text, "characteristic", AssignedNumbers.characteristics)
            service = nil
            return
        }
        service = try Self.uuid(String(text[..<slash]), "service", AssignedNumbers.services)
        uuid = try Self.uuid(String(text[slash...].dropFirst()), "characteristic", AssignedNumbers.characteristics)
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
