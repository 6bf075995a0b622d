package import JSON

/// Writes JSON text from values and from texts that are JSON already, such as stored payloads.
///
///     reply.object { reply in
///         reply.add(.number(7), as: "id")
///         reply.array(as: "names") { $0.add(.string("relay")) }
///     }
///
/// Members of an object have a name, elements of an array have none.
package struct ReplyBuilder {
    package private(set) var bytes: [UInt8] = []
    /// Whether a value precedes the next one in the same object or array.
    private var needsComma = false

    package init(capacity: Int = 0) {
        bytes.reserveCapacity(capacity)
    }

    /// Adds an object; `members` adds its members.
    package mutating func object(as name: String? = nil, _ members: (inout ReplyBuilder) -> Void) {
        nest(name, UInt8(ascii: "{"), UInt8(ascii: "}"), members)
    }

    /// Adds an array; `elements` adds its elements.
    package mutating func array(as name: String? = nil, _ elements: (inout ReplyBuilder) -> Void) {
        nest(name, UInt8(ascii: "["), UInt8(ascii: "]"), elements)
    }

    /// Adds a value; nil: null.
    package mutating func add(_ value: JSON?, as name: String? = nil) {
        begin(name)
        (value ?? .null).append(to: &bytes)
    }

    /// Adds a value that is JSON text; nil: null.
    package mutating func add(text: [UInt8]?, as name: String? = nil) {
        begin(name)
        bytes += text ?? Array("null".utf8)
    }

    private mutating func nest(
        _ name: String?, _ first: UInt8, _ last: UInt8, _ content: (inout ReplyBuilder) -> Void
    ) {
        begin(name)
        bytes.append(first)
        needsComma = false
        content(&self)
        bytes.append(last)
        needsComma = true
    }

    private mutating func begin(_ name: String?) {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
        guard let name else { return }
        JSON.append(quoted: name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
    }
}
