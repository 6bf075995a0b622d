/// The objects of a payload in which each tells by its first bytes what it is, as in BTHome: tag, perhaps a length, value.
package struct ObjectTable: Hashable, Sendable {
    /// How an object begins.
    package enum Framing: Hashable, Sendable {
        /// A tag, which decides the length as well: nothing after an unknown tag can be read.
        case tag(FieldType)
        /// A tag and the length of what follows.
        case tagAndLength(FieldType, FieldType)
        /// A byte with the length of tag and value (bits 0 to 4) and the kind of number (bits 5 to 7), then a tag of
        /// one byte: BTHome 1. A number is as long, and of the kind, as the first byte says.
        case lengthAndKind
    }

    package var framing: Framing
    /// The fields of the objects by their tags.
    package var layouts: [Int: Format]

    package init(_ framing: Framing, _ layouts: [Int: [Field]]) {
        self.framing = framing
        self.layouts = layouts.mapValues { Format($0) }
    }
}
