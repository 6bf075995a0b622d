internal import Configuration
internal import Simulator

/// The keys of a file for people, made from the table that checks it.
struct ConfigurationReference {
    static let configuration = ConfigurationReference(
        Configuration.reference, title: "The configuration's keys", option: "configuration")
    static let fleet = ConfigurationReference(
        Fleet.reference, title: "The keys of a simulated fleet", option: "fleet")

    private let title: String
    /// The option of help that prints it.
    private let option: String
    /// Every kind of mapping there is, each once, the outer before the inner.
    private let sections: [Section]

    private init(_ root: Section, title: String, option: String) {
        self.title = title
        self.option = option
        var sections = [root]
        var next = 0
        while next < sections.count {
            for inner in sections[next].rows.compactMap(\.section)
            where !sections.contains(where: { $0.name == inner.name }) {
                sections.append(inner)
            }
            next += 1
        }
        self.sections = sections
    }

    // MARK: Markdown

    /// A table for each kind of mapping, in Markdown.
    var markdown: String {
        let intro = """
            # \(title)

            Made by `bluefleet help --\(option)` from the table that checks the file. A key without a default may \
            be left out unless it says *required*; durations are `500ms`, `30s`, `10m`, `1h`, `7d`.
            """
        return ([intro] + sections.map(Self.markdown)).joined(separator: "\n\n") + "\n"
    }

    private static func markdown(_ section: Section) -> String {
        let rows = section.rows.map { row in
            let value =
                if row.isRequired {
                    "*required*, such as `\(row.example)`"
                } else if let text = row.defaultText {
                    text == row.example || row.section != nil ? "`\(text)`" : "`\(text)`; such as `\(row.example)`"
                } else {
                    "such as `\(row.example)`"
                }
            return [("`\(row.name)`"), row.kind, value, row.meaning].map(escaped).joined(separator: " | ")
        }
        return "## \(section.name)\n\n| key | what | default | meaning |\n|---|---|---|---|\n"
            + rows.map { "| \($0) |" }.joined(separator: "\n")
    }

    /// A bar would end the cell.
    private static func escaped(_ text: String) -> String {
        text.map { $0 == "|" ? "\\|" : String($0) }.joined()
    }

    // MARK: An example

    /// A configuration in which every key is explained, and none is set: it is valid as it is.
    var example: String {
        let intro = """
            # Bluefleet's configuration, with every key there is. Two # begin what explains a key, one # the key itself,
            # with its default or an example: take the # away to set it, and those of the keys that it stands below.
            # bluefleet inspect ADDRESS --yaml writes the entry of a device; bluefleet check tells whether all is fine.
            """
        var lines = [intro]
        for row in sections[0].rows { lines += [""] + self.lines(row, indent: 0, within: []) }
        return lines.joined(separator: "\n") + "\n"
    }

    private func lines(_ row: Section.Row, indent: Int, within outer: Set<String>) -> [String] {
        let margin = "".padded(to: indent)
        let meaning = Paragraph(row.meaning).lines(indent: 0).map { "##\(margin) \($0)" }
        guard let section = row.section, !outer.contains(section.name) else {
            return meaning + ["#\(margin)\(row.name): \(row.defaultText ?? row.example)"]
        }
        if let larger = larger(than: section) {
            return meaning + [
                "##\(margin) (Its keys are those of each \(larger.name).)", "#\(margin)\(row.name): \(row.example)",
            ]
        }
        var lines = meaning + ["#\(margin)\(row.name):"]
        var inner = indent + 2
        if row.kind.hasPrefix("mapping of names") {
            lines.append("#\(margin)  \(row.firstName):")
            inner += 2
        }
        let isList = row.kind.hasPrefix("list of")
        if isList { lines.append("#\(margin)  -") }
        for key in section.rows {
            lines += self.lines(key, indent: isList ? inner + 2 : inner, within: outer.union([section.name]))
        }
        return lines
    }

    /// A kind of mapping that has all of the keys of this one, and more.
    private func larger(than section: Section) -> Section? {
        let names = Set(section.rows.map(\.name))
        return sections.first { names.isStrictSubset(of: Set($0.rows.map(\.name))) }
    }
}

extension Section.Row {
    /// The first name in the example of a mapping: `greenhouse` of `{greenhouse: {…}}`.
    fileprivate var firstName: String {
        String(example.drop { $0 == "{" }.prefix { $0 != ":" })
    }
}
