import Codec

extension Configuration {
    /// The members of a text in JSON in the file, and how Home Assistant shows their values.
    struct JSONEntry {
        let members: JSONMembers
        let labels: [(String, FieldLabel)]
    }

    /// One member of a text in JSON in the file.
    fileprivate struct JSONMemberEntry {
        let member: JSONMembers.Member
        let label: FieldLabel?
    }
}

extension Kind where Value == Configuration.JSONEntry {
    /// The members of a text in JSON.
    static var json: Kind {
        Kind<[Configuration.JSONMemberEntry]>.list(of: JSONMembers.Member.kind).map { entries in
            Configuration.JSONEntry(
                members: JSONMembers(entries.map(\.member)),
                labels: entries.compactMap { entry in entry.label.map { (entry.member.name, $0) } })
        }
    }
}

extension JSONMembers.Member {
    private enum Keys {
        static let name = Key(
            required: "name", .text, example: "temperature", "The name of the value in the reading.")
        static let path = Key(
            "path", Kind<[String]>.path, example: "sensor.temperature",
            "The names that lead to the value in the text, separated by dots; a number leads to an element of a list, from 0. A "
                + "list of names, if a name contains a dot. If left out, the name of the value.")
        static let type = Key(
            "type", Kind<JSONMembers.Form>.word, default: "decimal", example: "boolean",
            "The type of the value in the text: decimal (a number), utf8 (a text) or boolean. Any other value is reported like "
                + "bytes that do not fit the format; a member that is missing is left out.")
        static let section = Section(
            "member", name, path, type, Field.Keys.scale, Field.Keys.offset, Field.Keys.unit, Field.Keys.unknown,
            Field.Keys.values, Configuration.FieldLabel.Keys.deviceClass, Configuration.FieldLabel.Keys.stateClass,
            Configuration.FieldLabel.Keys.precision, example: "{name: temperature, unit: \"°C\"}",
            advice: ["key": "did you mean 'path'?"])
    }

    fileprivate static let kind = Kind<Configuration.JSONMemberEntry>.mapping(Keys.section) { reader in
        let path = reader[Keys.path]
        guard let name = reader[Keys.name] else { return nil }
        var member = JSONMembers.Member(name, at: path ?? [name])
        member.form = reader[Keys.type]
        member.unit = reader[Field.Keys.unit]
        member.meaning.scale = reader[Field.Keys.scale]
        member.meaning.offset = reader[Field.Keys.offset]
        member.meaning.unknown = reader[Field.Keys.unknown]
        member.meaning.values = reader[Field.Keys.values]
        let label = Configuration.FieldLabel(reader)
        label?.check(Format([.json(JSONMembers([member]))]).quantities.first?.form, unit: member.unit, reader)
        return Configuration.JSONMemberEntry(member: member, label: label)
    }
}

extension Kind where Value == [String] {
    /// Names separated by dots, or a list of names.
    fileprivate static var path: Kind {
        .either("text, or a list of them") { node in
            if case .sequence = node.content { return list(of: .text) }
            return Kind<String>.text.map { $0.split(separator: ".", omittingEmptySubsequences: false).map(String.init) }
        }
    }
}
