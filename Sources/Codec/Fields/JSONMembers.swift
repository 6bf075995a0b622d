/// The content of a field that is a text in JSON up to the end of the bytes: the values of a reading, by their places.
package struct JSONMembers: Hashable, Sendable {
    /// The type of a value in the text.
    package enum Form: String, Hashable, Sendable, CaseIterable {
        case decimal, utf8, boolean
    }

    /// One value in the text.
    package struct Member: Hashable, Sendable {
        /// The name of the value in a reading.
        package var name: String
        /// The names of the objects and of the member that lead to the value; a number leads to an element of a list.
        package var path: [String]
        package var form = Form.decimal
        /// The meaning of the number, if the value is one.
        package var meaning = Meaning()
        /// The unit of the value, in the spelling of Home Assistant.
        package var unit: String?

        package init(_ name: String, at path: [String]) {
            self.name = name
            self.path = path
        }
    }

    package let members: [Member]

    package init(_ members: [Member]) {
        self.members = members
    }
}

extension JSONMembers {
    /// Throws `FormatError` if the text cannot have all members.
    func validate(at index: Int) throws(FormatError) {
        func check(_ isRight: Bool, _ message: String) throws(FormatError) {
            if !isRight { throw FormatError("json: \(message)", index: index, key: "json") }
        }
        try check(!members.isEmpty, "a text in JSON needs at least one member")
        for (position, member) in members.enumerated() {
            let name = member.name.quotedForMessage
            try check(!member.path.contains(""), "the path of \(name) has an empty part")
            try check(
                member.form == .decimal || (member.meaning == Meaning() && member.unit == nil),
                "\(name) is no number: remove scale, offset, unknown, values and unit, or write type: decimal")
            try check(member.meaning.scale != 0, "the scale 0 of \(name) makes all values equal")
            for other in members[..<position] where other.contains(member) || member.contains(other) {
                let place = member.path.joined(separator: ".").quotedForMessage
                try check(false, "\(other.name.quotedForMessage) and \(name) are both at \(place): change one path")
            }
        }
    }
}

extension JSONMembers.Member {
    /// Whether the other value is at the same place or a part of this value.
    fileprivate func contains(_ other: Self) -> Bool {
        other.path.starts(with: path)
    }

    /// The description of the value.
    var quantity: Quantity {
        let form: Quantity.Form =
            switch (self.form, meaning.values) {
            case (.decimal, let values?): .named(values.names)
            case (.decimal, nil): .number
            case (.utf8, _): .text
            case (.boolean, _): .boolean
            }
        let condition = self.form == .boolean ? Quantity.Condition(named: name) : nil
        return Quantity(
            name: name, form: form, unit: unit, kind: condition.map { .condition($0) }, range: meaning.range, step: nil)
    }
}
