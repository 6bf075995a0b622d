/// A key that a mapping may hold: what it is called, what it may hold, what it means.
///
/// One such row both checks the file and describes it in the generated reference.
package struct Key<Value: Sendable>: Sendable {
    package let row: Section.Row
    let kind: Kind<Value>
    let fallback: Value?
}

extension Key {
    /// A key with a default, written as in the file.
    package init(_ name: String, _ kind: Kind<Value>, default text: String, example: String? = nil, _ meaning: String) {
        let mistakes = Mistakes(in: "defaults")
        guard let node = try? YAMLParser.parse(text), let fallback = kind.read(node, mistakes) else {
            preconditionFailure("the default of \(name), \(text), is no \(kind.name): \(mistakes.sorted)")
        }
        self.init(
            row: Section.Row(name, kind, default: text, example: example ?? text, meaning), kind: kind,
            fallback: fallback)
    }

    /// A key that may be left out, which then means nil.
    package init<Wrapped>(_ name: String, _ kind: Kind<Wrapped>, example: String, _ meaning: String)
    where Value == Wrapped? {
        self.init(
            row: Section.Row(name, kind, example: example, meaning), kind: kind.map { $0 }, fallback: .some(nil))
    }

    /// A key that must be there; nil is read only after that has been reported.
    package init<Wrapped>(required name: String, _ kind: Kind<Wrapped>, example: String, _ meaning: String)
    where Value == Wrapped? {
        self.init(
            row: Section.Row(name, kind, isRequired: true, example: example, meaning), kind: kind.map { $0 },
            fallback: .some(nil))
    }
}
