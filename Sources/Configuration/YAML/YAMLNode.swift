import Codec

/// A part of a YAML document and where it stands.
///
/// A scalar keeps its text: whether `1800` is a number or a UUID is for the reader of that key to say.
package struct YAMLNode: Sendable, Equatable {
    package indirect enum Content: Sendable, Equatable {
        /// Text; `isPlain` when it stands without quotes and may therefore mean a number, a boolean or nothing.
        case scalar(String, isPlain: Bool)
        case sequence([YAMLNode])
        /// In the order of the document; keys may repeat.
        case mapping([Entry])
    }

    package struct Entry: Sendable, Equatable {
        package let key: String
        package let keyPosition: Position
        package let value: YAMLNode
        /// Whether it stands elsewhere, and holds here too.
        var isInherited = false
    }

    package let content: Content
    package let position: Position

    package init(content: Content, position: Position) {
        self.content = content
        self.position = position
    }

    /// True for `key:` with nothing behind it, `~` and `null`.
    package var isNull: Bool {
        guard case .scalar(let text, isPlain: true) = content else { return false }
        return ["", "~", "null", "Null", "NULL"].contains(text)
    }

    /// What stands here, for a message: `'text'`, `a list`, `a mapping`, `nothing`.
    package var summary: String {
        switch content {
        case .scalar where isNull: "nothing"
        case .scalar(let text, let isPlain): text.quotedForMessage + (isPlain ? "" : " in quotes")
        case .sequence: "a list"
        case .mapping: "a mapping"
        }
    }
}
