/// A D-Bus value of any type.
///
/// Arrays and dictionaries contain the signatures of their elements, because they can be empty.
///
/// Source: D-Bus Specification, "Type System".
package indirect enum Variant: Hashable, Sendable {
    case byte(UInt8)
    case boolean(Bool)
    case int16(Int16)
    case uint16(UInt16)
    case int32(Int32)
    case uint32(UInt32)
    case int64(Int64)
    case uint64(UInt64)
    case double(Double)
    case string(String)
    case objectPath(String)
    case signature(String)
    case fileDescriptor(FileDescriptor)
    /// `ay`.
    case bytes([UInt8])
    /// An array of anything except bytes and dictionary entries, with the signature of its elements.
    case array([Variant], of: String)
    /// `a{…}`, with the signatures of its keys and values, in the order of the message.
    case dictionary([Entry], key: String, value: String)
    case structure([Variant])
    case variant(Variant)

    package struct Entry: Hashable, Sendable {
        package var key: Variant
        package var value: Variant

        package init(_ key: Variant, _ value: Variant) {
            self.key = key
            self.value = value
        }
    }

    /// Returns an `a{sv}` with the keys in alphabetical order; each value is wrapped in a variant.
    package static func properties(_ properties: [String: Variant]) -> Variant {
        let entries = properties.sorted { $0.key < $1.key }.map { Entry(.string($0.key), .variant($0.value)) }
        return .dictionary(entries, key: "s", value: "v")
    }

    /// Returns an `as`.
    package static func strings(_ strings: [String]) -> Variant {
        .array(strings.map(Variant.string), of: "s")
    }

    /// Returns an `ao`.
    package static func objectPaths(_ paths: [String]) -> Variant {
        .array(paths.map(Variant.objectPath), of: "o")
    }

    /// The type signature of the value.
    package var signature: String {
        switch self {
        case .byte: "y"
        case .boolean: "b"
        case .int16: "n"
        case .uint16: "q"
        case .int32: "i"
        case .uint32: "u"
        case .int64: "x"
        case .uint64: "t"
        case .double: "d"
        case .string: "s"
        case .objectPath: "o"
        case .signature: "g"
        case .fileDescriptor: "h"
        case .bytes: "ay"
        case .array(_, let element): "a" + element
        case .dictionary(_, let key, let value): "a{" + key + value + "}"
        case .structure(let members): "(" + members.map(\.signature).joined() + ")"
        case .variant: "v"
        }
    }
}
