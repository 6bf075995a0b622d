import Codec

/// A node of a YAML document with its position.
///
/// A scalar is stored as text: the kind of the key determines whether `1800` is a number or a UUID.
package struct YAMLNode: Sendable, Equatable {
    package indirect enum Content: Sendable, Equatable {
        /// A text; `isPlain` is true if the text has no quotes and may therefore be a number, a boolean or null.
        case scalar(String, isPlain: Bool)
        case sequence([YAMLNode])
        /// The entries in the order of the document; keys may be duplicate.
        case mapping([Entry])
    }

    package struct Entry: Sendable, Equatable {
        package let key: String
        package let keyPosition: Position
        package let value: YAMLNode
        /// Whether the entry comes from a profile.
        var isInherited = false
    }

    package let content: Content
    package let position: Position

    package init(content: Content, position: Position) {
        self.content = content
        self.position = position
    }

    /// Whether the value is missing (`key:`), `~` or `null`.
    package var isNull: Bool {
        guard case .scalar(let text, isPlain: true) = content else { return false }
        return ["", "~", "null", "Null", "NULL"].contains(text)
    }

    /// Whether the value is a text, a number or a boolean, or missing.
    var isScalar: Bool { if case .scalar = content { true } else { false } }

    /// A description for messages, e.g.
    ///
    /// `'text'`, `a list`, `a mapping` or `nothing`.
    package var summary: String {
        switch content {
        case .scalar where isNull: "nothing"
        case .scalar(let text, let isPlain): text.quotedForMessage + (isPlain ? "" : " in quotes")
        case .sequence: "a list"
        case .mapping: "a mapping"
        }
    }
}
