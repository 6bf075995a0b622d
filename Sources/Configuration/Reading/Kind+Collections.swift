extension Kind {
    /// A list of `kind`; items that are wrong are reported and left out.
    ///
    /// - Parameter complaint: What to say about a list without items, if that is a mistake.
    package static func list<Item>(of kind: Kind<Item>, whenEmpty complaint: String? = nil) -> Kind
    where Value == [Item] {
        Kind("list of \(kind.name)", section: kind.section) { node, mistakes in
            guard case .sequence(let items) = node.content else {
                mistakes.report("expected a list, found \(node.summary)", at: node.position)
                return nil
            }
            if let complaint, items.isEmpty { mistakes.report(complaint, at: node.position) }
            return items.compactMap { kind.read($0, mistakes) }
        }
    }

    /// A mapping with names of the author's choice, each with a value of `kind`, in the order of the file.
    package static func named<Item>(_ kind: Kind<Item>) -> Kind where Value == [Named<Item>] {
        Kind("mapping of names to \(kind.name)", section: kind.section) { node, mistakes in
            node.entries(mistakes, areNamed: true)?.compactMap { entry in
                kind.read(entry.value, mistakes).map {
                    Named(name: entry.key, position: entry.keyPosition, value: $0)
                }
            }
        }
    }

    /// A mapping with names of the author's choice, each with a mapping that `make` turns into a value.
    package static func mappings<Item>(
        _ section: Section, _ make: @escaping @Sendable (Located<String>, MappingReader) -> Item?
    ) -> Kind where Value == [Named<Item>] {
        Kind("mapping of names to \(section.name)", section: section) { node, mistakes in
            node.entries(mistakes, areNamed: true)?.compactMap { entry in
                MappingReader(entry.value, section, mistakes)
                    .flatMap { make(Located(entry.key, at: entry.keyPosition), $0) }
                    .map { Named(name: entry.key, position: entry.keyPosition, value: $0) }
            }
        }
    }

    /// A mapping with the keys of `section`, which `make` turns into a value.
    ///
    /// Nil from `make` means that a mistake has been reported.
    package static func mapping(
        _ section: Section, _ make: @escaping @Sendable (MappingReader) -> Value?
    ) -> Kind {
        Kind(section.name, section: section) { node, mistakes in
            MappingReader(node, section, mistakes).flatMap(make)
        }
    }

    /// A list of `kind`, or one alone.
    package static func oneOrMore<Item>(_ kind: Kind<Item>) -> Kind where Value == [Item] {
        either("\(kind.name), or a list of them") { node in
            if case .sequence = node.content { return list(of: kind) }
            return kind.map { [$0] }
        }
    }

    /// This kind or, where that is simpler to write, the other one: `one` decides by the node.
    package static func either(
        _ name: String, _ choose: @escaping @Sendable (YAMLNode) -> Kind
    ) -> Kind {
        Kind(name) { node, mistakes in choose(node).read(node, mistakes) }
    }
}
