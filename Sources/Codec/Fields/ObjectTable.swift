/// The layouts of the objects of a payload in which each object begins with its tag, as in BTHome.
package struct ObjectTable: Hashable, Sendable {
    /// The first bytes of an object.
    package enum Framing: Hashable, Sendable {
        /// A tag, which also determines the length. Nothing after an unknown tag can be read.
        case tag(UnsignedType)
        /// A tag and the length of the value.
        case tagAndLength(UnsignedType, UnsignedType)
        /// A byte with the length of tag and value (bits 0 to 4) and the kind of number (bits 5 to 7), and a tag of one
        /// byte: BTHome 1. The first byte determines the size and the kind of a number.
        case lengthAndKind
    }

    package var framing: Framing
    /// The fields of the objects, by their tags.
    package var layouts: [Int: Format]

    package init(_ framing: Framing, _ layouts: [Int: [Field]]) {
        self.framing = framing
        self.layouts = layouts.mapValues { Format($0) }
    }
}
