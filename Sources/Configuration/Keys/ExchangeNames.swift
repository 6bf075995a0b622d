import Bluetooth
import Codec

/// The names that the formulas of questions and answers of one device can use.
struct ExchangeNames: Sendable {
    /// The names of every device.
    static let common =
        ["now", "asked", "counter", "pin"]
        + ["year", "month", "day", "hour", "minute", "second", "weekday", "offset"].map { "local.\($0)" }

    /// The names for a question: those of every device, and ENTRY.FIELD.
    let forQuestions: [String]
    /// The parameters of the device, by name; nil: the parameter is a text.
    let parameters: [String: Decimal?]
    /// The fields of the records of each history, by the name of the entry.
    private let recordFields: [String: [String]]

    /// - Parameters:
    ///   - characteristics: The characteristics of the device, as a node of the file.
    ///   - parameters: The values of the key `with` of the device.
    init(_ characteristics: YAMLNode?, parameters: [Named<String>] = []) {
        var names = Self.common + parameters.map(\.name)
        var recordFields: [String: [String]] = [:]
        if case .mapping(let entries)? = characteristics?.content {
            for entry in entries where Self.isRead(entry.value) {
                let fields = Self.fields(of: entry.value, named: entry.key)
                names.append("\(entry.key).received")
                names += fields.map { "\(entry.key).\($0)" }
                if entry.value["history"] != nil { recordFields[entry.key] = fields }
            }
        }
        forQuestions = names
        self.recordFields = recordFields
        self.parameters = Dictionary(parameters.map { ($0.name, Decimal($0.value)) }) { $1 }
    }

    /// The values of the parameters that are numbers.
    var environment: Environment {
        Environment(parameters.compactMapValues { $0 }.mapValues { .number($0) })
    }

    /// Returns whether the records of an entry are a history.
    func hasHistory(_ entry: String) -> Bool { recordFields[entry] != nil }

    private init(_ names: [String], _ other: ExchangeNames) {
        forQuestions = names
        (recordFields, parameters) = (other.recordFields, other.parameters)
    }

    /// Returns whether the values of an entry are answers, or can be read before a question that names them.
    private static func isRead(_ entry: YAMLNode) -> Bool {
        if entry["ask"] != nil || entry["answer"] != nil { return true }
        return entry["subscribe"]?.text != "true" && (entry["write"] == nil || entry["write"]?.text == "false")
    }

    /// Returns the names for an entry, with those of its history.
    func including(historyOf entry: String) -> ExchangeNames {
        guard let fields = recordFields[entry] else { return self }
        return ExchangeNames(forQuestions + ["since"] + fields.map { "last.\($0)" }, self)
    }

    /// Returns the names for the time of a record.
    func forRecords(of entry: String, askedBy ask: YAMLNode?) -> [String] {
        forAnswers(to: ask) + (recordFields[entry] ?? []) + ["index", "frame"]
    }

    /// Reports a list of records that is no field of the answer.
    func checkList(of history: Configuration.History, in entry: String, _ reader: MappingReader) {
        guard let list = history.list, let fields = recordFields[entry], !fields.contains(list) else { return }
        reader.report(
            InvalidValue(unknown: "field", list, among: fields).message, at: Configuration.Characteristic.Keys.history)
    }

    /// Returns the names for an answer: those for a question, and the members of the question.
    func forAnswers(to ask: YAMLNode?) -> [String] {
        forQuestions + (ask?["format"].map(Self.names(in:)) ?? []) + (ask?["each"].map(Self.keys(of:)) ?? [])
    }

    private static func keys(of node: YAMLNode) -> [String] {
        if case .mapping(let entries) = node.content { entries.map(\.key) } else { [] }
    }

    /// The names of the fields in the format of an entry.
    private static func fields(of entry: YAMLNode, named name: String) -> [String] {
        if let format = entry["format"] { return names(in: format) }
        let place = entry["answer"]?["from"] ?? entry["uuid"]
        guard let text = place?.text ?? (entry["ask"] == nil ? name : nil),
            let uuid = UUID(text) ?? AssignedNumbers.characteristics[text]
        else { return [] }
        return Characteristics.definition(of: uuid)?.format.quantities.map(\.name) ?? []
    }

    /// The names of the fields and bits in a list of fields.
    static func names(in format: YAMLNode) -> [String] {
        guard case .sequence(let items) = format.content else { return [] }
        return items.flatMap { item in
            [item["name"]?.text].compactMap { $0 } + (item["bits"].map(names(ofBits:)) ?? [])
        }
    }

    private static func names(ofBits node: YAMLNode) -> [String] {
        guard case .mapping(let entries) = node.content else { return [] }
        return entries.compactMap { $0.value.text ?? $0.value["name"]?.text }
    }
}

extension YAMLNode {
    fileprivate var text: String? {
        guard case .scalar(let text, _) = content else { return nil }
        return text
    }
}
