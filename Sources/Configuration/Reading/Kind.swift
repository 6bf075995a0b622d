/// The type of a key's value: its name in the reference, and its conversion from a YAML node.
package struct Kind<Value: Sendable>: Sendable {
    /// The name in the reference, e.g.
    ///
    /// `duration` or `list of UUID`.
    package let name: String
    /// The table of the keys, if the value is a mapping or contains mappings; nil for any other kind.
    package let section: Section?
    private let body: @Sendable (YAMLNode, Mistakes) -> Value?

    package init(
        _ name: String, section: Section? = nil, read: @escaping @Sendable (YAMLNode, Mistakes) -> Value?
    ) {
        self.name = name
        self.section = section
        self.body = read
    }

    /// Returns the value of a node; nil after a mistake has been reported.
    package func read(_ node: YAMLNode, _ mistakes: Mistakes) -> Value? {
        mistakes.isFull ? nil : body(node, mistakes)
    }

    /// Returns the kind with converted values.
    ///
    /// A value that cannot be converted is reported as a mistake.
    package func map<Other>(
        _ name: String? = nil, _ transform: @escaping @Sendable (Value) throws(InvalidValue) -> Other
    ) -> Kind<Other> {
        Kind<Other>(name ?? self.name, section: section) { node, mistakes in
            guard let value = read(node, mistakes) else { return nil }
            do throws(InvalidValue) {
                return try transform(value)
            } catch {
                mistakes.report(error.message, at: node.position)
                return nil
            }
        }
    }

    /// The same kind, whose values are stored with their positions.
    package var located: Kind<Located<Value>> {
        Kind<Located<Value>>(name, section: section) { node, mistakes in
            read(node, mistakes).map { Located($0, at: node.position) }
        }
    }
}
