import Codec

extension Kind {
    /// A list of `kind`.
    ///
    /// Invalid items are reported and omitted.
    ///
    /// `problem` is reported as a mistake if the list is empty; nil if the list may be empty. `example` is an example of a
    /// list, for messages.
    package static func list<Item>(
        of kind: Kind<Item>, whenEmpty problem: String? = nil, example: String? = nil
    ) -> Kind where Value == [Item] {
        Kind("list of \(kind.name)", section: kind.section) { node, mistakes in
            guard case .sequence(let items) = node.content else {
                let advice = advice(kind, node)
                let form = advice.isEmpty ? example.map { " such as \($0)" } ?? "" : advice
                mistakes.report("expected a list\(form), found \(node.summary)", at: node.position)
                return nil
            }
            if let problem, items.isEmpty { mistakes.report(problem, at: node.position) }
            return items.compactMap { kind.read($0, mistakes) }
        }
    }

    /// Returns an example of a list in place of a node that is no list.
    private static func advice<Item>(_ kind: Kind<Item>, _ node: YAMLNode) -> String {
        switch node.content {
        case .mapping:
            " in brackets, or with \"- \" before each item" + (kind.section.map { ", such as [\($0.sample)]" } ?? "")
        case .scalar(let text, _) where ["all", "any", "auto", "*"].contains(text):
            ", or no key for the default"
        case .scalar(let text, _) where kind.section == nil && kind.read(node, Mistakes(in: "")) != nil:
            " such as [\(text)]"
        default: kind.section.map { " such as [\($0.sample)]" } ?? ""
        }
    }

    /// A mapping of names, which the user chooses, to values of `kind`, in the order of the file.
    ///
    /// `form` is the form of the mapping, for messages; nil for `NAME: {…}` with the keys of `kind`.
    package static func named<Item>(_ kind: Kind<Item>, form: String? = nil) -> Kind where Value == [Named<Item>] {
        let form = form ?? "NAME: \(kind.section?.sample ?? "VALUE")"
        return Kind("mapping of names to \(kind.name)", section: kind.section) { node, mistakes in
            node.entries(mistakes, expecting: form, areNamed: true)?.compactMap { entry in
                if isMisplacedKey(entry, of: kind.section, mistakes) { return nil }
                return kind.read(entry.value, mistakes).map {
                    Named(name: entry.key, position: entry.keyPosition, value: $0)
                }
            }
        }
    }

    /// A mapping of names, which the user chooses, to mappings, which `make` converts to values.
    package static func mappings<Item>(
        _ section: Section, _ make: @escaping @Sendable (Located<String>, MappingReader) -> Item?
    ) -> Kind where Value == [Named<Item>] {
        Kind("mapping of names to \(section.name)", section: section) { node, mistakes in
            node.entries(mistakes, expecting: "NAME: \(section.sample)", areNamed: true)?.compactMap { entry in
                if isMisplacedKey(entry, of: section, mistakes) { return nil }
                return MappingReader(entry.value, section, mistakes)
                    .flatMap { make(Located(entry.key, at: entry.keyPosition), $0) }
                    .map { Named(name: entry.key, position: entry.keyPosition, value: $0) }
            }
        }
    }

    /// Reports a key in the place of a name: the lines of an entry that are not indented below its name.
    private static func isMisplacedKey(_ entry: YAMLNode.Entry, of section: Section?, _ mistakes: Mistakes) -> Bool {
        guard let section, case .scalar = entry.value.content, !entry.value.isNull,
            section.rows.contains(where: { $0.name == entry.key })
        else { return false }
        mistakes.report(
            "expected the name of a \(section.name), found its key \(entry.key.quotedForMessage): indent the key below "
                + "the name", at: entry.keyPosition)
        return true
    }

    /// A mapping with the keys of `section`, which `make` converts to a value.
    ///
    /// `make` returns nil after it has reported a mistake.
    package static func mapping(
        _ section: Section, _ make: @escaping @Sendable (MappingReader) -> Value?
    ) -> Kind {
        Kind(section.name, section: section) { node, mistakes in
            MappingReader(node, section, mistakes).flatMap(make)
        }
    }

    /// A list of `kind`, or a single value of `kind`.
    package static func oneOrMore<Item>(_ kind: Kind<Item>) -> Kind where Value == [Item] {
        either("\(kind.name), or a list of them", section: kind.section) { node in
            if case .sequence = node.content { return list(of: kind) }
            return kind.map { [$0] }
        }
    }

    /// One of several kinds, which `choose` selects by the form of the node.
    package static func either(
        _ name: String, section: Section? = nil, _ choose: @escaping @Sendable (YAMLNode) -> Kind
    ) -> Kind {
        Kind(name, section: section) { node, mistakes in choose(node).read(node, mistakes) }
    }
}
