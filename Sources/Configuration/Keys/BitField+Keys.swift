import Codec

extension BitField {
    private enum Keys {
        static let name = Key(
            required: "name", .text, example: "level", "The name of the value in the reading.")
        static let signed = Key(
            "signed", .boolean, default: "false", example: "true",
            "Whether the bits are a signed number (two's complement).")
        static let section = Section(
            "bits", name, signed, Field.Keys.scale, Field.Keys.offset, Field.Keys.unit, Field.Keys.unknown,
            Field.Keys.values, Field.Keys.hidden)
    }

    /// A bit or a range of bits with further properties.
    ///
    /// The range is the key in the enclosing mapping.
    static let kind = Kind.mapping(Keys.section) { reader in
        var field = BitField(reader[Keys.name] ?? "", 0...0)
        field.isSigned = reader[Keys.signed]
        field.scale = reader[Field.Keys.scale]
        field.offset = reader[Field.Keys.offset]
        field.unit = reader[Field.Keys.unit]
        field.unknown = reader[Field.Keys.unknown]
        field.values = reader[Field.Keys.values]
        field.isShown = !reader[Field.Keys.hidden]
        return field
    }
}
