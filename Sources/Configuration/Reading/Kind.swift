/// What a key may hold: its name in the reference, and how it is read from a node.
package struct Kind<Value: Sendable>: Sendable {
    /// What the reference calls it: `duration`, `list of UUID`.
    package let name: String
    /// The keys of a mapping of this kind.
    package let section: Section?
    private let body: @Sendable (YAMLNode, Mistakes) -> Value?

    package init(
        _ name: String, section: Section? = nil, read: @escaping @Sendable (YAMLNode, Mistakes) -> Value?
    ) {
        self.name = name
        self.section = section
        self.body = read
    }

    /// The value at `node`, or nil after what is wrong with it has been reported.
    package func read(_ node: YAMLNode, _ mistakes: Mistakes) -> Value? {
        body(node, mistakes)
    }

    /// The same kind, its values turned into others; what cannot be turned is a mistake at the value.
    package func map<Other>(
        _ name: String? = nil, _ transform: @escaping @Sendable (Value) throws(Complaint) -> Other
    ) -> Kind<Other> {
        Kind<Other>(name ?? self.name, section: section) { node, mistakes in
            guard let value = read(node, mistakes) else { return nil }
            do throws(Complaint) {
                return try transform(value)
            } catch {
                mistakes.report(error.sentence, at: node.position)
                return nil
            }
        }
    }

    /// The same kind, its values together with where they stand.
    package var located: Kind<Located<Value>> {
        Kind<Located<Value>>(name, section: section) { node, mistakes in
            read(node, mistakes).map { Located($0, at: node.position) }
        }
    }
}
