/// A key of a mapping: the name, the kind of the value, the default and the description.
///
/// `row` is used to check files and to describe the key in the generated reference.
package struct Key<Value: Sendable>: Sendable {
    package let row: Section.Row
    let kind: Kind<Value>
    let fallback: Value?
}

extension Key {
    /// Creates a key with a default value, which is given in YAML, as in a file.
    package init(_ name: String, _ kind: Kind<Value>, default text: String, example: String? = nil, _ meaning: String) {
        let mistakes = Mistakes(in: "defaults")
        guard let node = try? YAMLParser.parse(text), let fallback = kind.read(node, mistakes) else {
            preconditionFailure("the default of \(name), \(text), is not a valid \(kind.name): \(mistakes.sorted)")
        }
        self.init(
            row: Section.Row(name, kind, default: text, example: example ?? text, meaning), kind: kind,
            fallback: fallback)
    }

    /// Creates an optional key.
    ///
    /// The value is nil if the key is missing.
    package init<Wrapped>(_ name: String, _ kind: Kind<Wrapped>, example: String, _ meaning: String)
    where Value == Wrapped? {
        self.init(
            row: Section.Row(name, kind, example: example, meaning), kind: kind.map { $0 }, fallback: .some(nil))
    }

    /// Creates a required key.
    ///
    /// The value is nil only after a mistake has been reported.
    package init<Wrapped>(required name: String, _ kind: Kind<Wrapped>, example: String, _ meaning: String)
    where Value == Wrapped? {
        self.init(
            row: Section.Row(name, kind, isRequired: true, example: example, meaning), kind: kind.map { $0 },
            fallback: .some(nil))
    }
}
