/// The type of a key's value: its name in the reference, and its conversion from a YAML node.
package struct Kind<Value: Sendable>: Sendable {
    /// The name in the reference: `duration`, `list of UUID`.
    package let name: String
    /// The keys of a mapping of this kind; nil for other kinds.
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
        body(node, mistakes)
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

    /// The kind with the positions of its values.
    package var located: Kind<Located<Value>> {
        Kind<Located<Value>>(name, section: section) { node, mistakes in
            read(node, mistakes).map { Located($0, at: node.position) }
        }
    }
}
