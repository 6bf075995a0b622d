import Bluetooth
import Codec
import System

extension Configuration.Question {
    enum Keys {
        static let hex = Key(
            "hex", Kind<[UInt8]>.hexadecimal(1...longest), example: "A01F", "The bytes in hexadecimal digits.")
        static let text = Key("text", Kind<String>.text, example: "\"010C\\r\"", "The bytes as text in UTF-8.")
        static let format = Key(
            "format", Kind<YAMLNode>("list of field or constant bytes") { node, _ in node },
            example: "[\"DDA5\", {name: command, type: uint8}]",
            "The bytes as a list of fields. The value of a field comes from value, from the field's own formula value, or from the "
                + "request to set it.")
        static let value = Key(
            "value", Kind<[Named<String>]>.named(.text, form: "MEMBER: VALUE, such as {command: 3}"), default: "{}",
            example: "{command: 3}", "The values of fields: numbers, names in values, or formulas.")
        static let service = Key(
            "service", .service, example: "FFF0", "The service of the characteristic to write; any service if left out."
        )
        static let to = Key(
            "to", .characteristic, example: "FFF2",
            "The characteristic to which the question is written; the first one that can be written.")
        static let response = Key(
            "response", .boolean, default: "true", example: "false",
            "Whether the device confirms the write; by the flags of the characteristic if left out.")
        static let when = Key(
            "when", .expression, example: "info.software >= 11",
            "A condition over earlier answers (ENTRY.FIELD): if it is false or not known, the question is not asked, and its "
                + "answer is not received.")
        static let each = Key(
            "each", Kind<Series>.series, example: "{number: [0, memory.entries - 1]}",
            "The name of a number, and its first and last value: the question is asked once for each number, at most 64 times "
                + "(4096 times with history), and the values have the names ENTRY_NUMBER.")
        static let pause = Key(
            "pause", .duration, default: "0s", example: "500ms", "The silence before the next question, up to 10s.")
        static let attempts = Key(
            "attempts", .integer(1...5), default: "\(defaultAttempts)", example: "1",
            "How often the question is asked until a valid answer arrives; 1 for a command if left out.")

        static let section = Section(
            "question", hex, text, format, value, each, service, to, response, when, pause, attempts,
            example: "{to: FFF2, hex: A01F}",
            advice: [
                "uuid": "did you mean 'to'?", "characteristic": "did you mean 'to'?", "bytes": "did you mean 'hex'?",
                "from": "it belongs into answer", "within": "it belongs into answer",
                "timeout": "write within into answer",
                "retries": "did you mean 'attempts'?", "delay": "did you mean 'pause'?",
            ])
    }

    /// A question or its defaults, whose keys are checked further when an entry uses them; a scalar is the bytes.
    static let defaults = Kind<YAMLNode>("bytes | mapping", section: Keys.section) { node, mistakes in
        if case .scalar = node.content { return node }
        return YAMLNode.checked(Keys.section).read(node, mistakes)
    }

    /// Creates the question of an entry.
    ///
    /// - Parameters:
    ///   - reader: The merged keys.
    ///   - name: The name of the entry, for messages.
    ///   - isCommand: Whether a client gives values.
    ///   - endian: The default byte order.
    ///   - known: The names that the formulas may use, and the parameters of the device.
    init?(_ reader: MappingReader, of name: String, isCommand: Bool, endian: Field.Endian, _ known: ExchangeNames) {
        let before = reader.mistakes.reports
        let names = known.forQuestions
        let series = reader[Keys.each]
        for formula in [series?.first, series?.last] {
            if let formula { reader.check(formula, at: Keys.each, among: names) }
        }
        // The series of a history goes on in the next session.
        let most = known.hasHistory(name) ? .max : Series.mostNumbers
        if let problem = series?.problem(atMost: most, known.environment) { reader.report(problem, at: Keys.each) }
        if series != nil, isCommand {
            reader.report("a command is written once: remove each, or write: true", at: Keys.each)
        }
        let content = Self.content(
            reader, of: name, isCommand: isCommand, endian: endian, names + [series?.name].compactMap { $0 })
        let (service, to, pause) = (reader[Keys.service], reader[Keys.to], reader[Keys.pause])
        let (response, when) = (reader[Keys.response], reader[Keys.when])
        let attempts = reader.has(Keys.attempts) || !isCommand ? reader[Keys.attempts] : 1
        if pause > .seconds(10) { reader.report("expected at most 10s, found \(pause.text)", at: Keys.pause) }
        if let when { reader.check(when, at: Keys.when, among: names) }
        if to == nil, reader.mistakes.reports == before {
            reader.mistakes.report(
                "the question of \(name.quotedForMessage) needs a characteristic: add to: UUID", at: reader.position)
        }
        guard let to, let content, reader.mistakes.reports == before else { return nil }
        self.init(
            content, to: Configuration.Place(service: service, characteristic: to),
            isConfirmed: reader.has(Keys.response) ? response : nil, when: when, pause: pause, attempts: attempts)
        self.series = series
    }

    private static func content(
        _ reader: MappingReader, of name: String, isCommand: Bool, endian: Field.Endian, _ names: [String]
    ) -> Content? {
        let (hex, text, arguments) = (reader[Keys.hex], reader[Keys.text], reader[Keys.value])
        let given = [reader.has(Keys.hex), reader.has(Keys.text), reader.has(Keys.format)].count { $0 }
        guard given == 1 else {
            reader.mistakes.report(
                given == 0
                    ? "the question of \(name.quotedForMessage) has no bytes: add hex, text or format"
                    : "the question of \(name.quotedForMessage) has several contents: keep one of hex, text and format",
                at: reader.position)
            return nil
        }
        guard reader.has(Keys.format), let node = reader.node(of: Keys.format) else {
            if reader.has(Keys.value) {
                reader.report("value gives the fields of a format: add format, or remove it", at: Keys.value)
            }
            if isCommand {
                reader.mistakes.report(
                    "a command needs ask.format, whose fields a request sets; remove write: true, or add format",
                    at: reader.position)
            }
            let bytes = hex ?? text.map { Array($0.utf8) }
            if let count = bytes?.count, count > longest { reportLength(count, reader, at: Keys.text) }
            return bytes.map { .bytes($0) }
        }
        var context = FormatContext()
        context.endian = endian
        context.isQuestion = true
        context.allowsOuterNames = true
        guard let entry = Format.located(in: context).read(node, reader.mistakes) else { return nil }
        reader.mistakes.check(entry.outerNames, among: names)
        if entry.format.minimumSize > longest { reportLength(entry.format.minimumSize, reader, at: Keys.format) }
        let values = Self.arguments(arguments, entry.format, isCommand: isCommand, names, reader)
        // A client cannot choose the values that the configuration gives.
        let fields = entry.format.fields.map { field in
            var field = field
            if values.contains(where: { $0.name == field.name }) { field.isShown = false }
            return field
        }
        return .format(values.isEmpty ? entry.format : Format(fields), values)
    }

    private static func reportLength<Value>(_ count: Int, _ reader: MappingReader, at key: Key<Value>) {
        reader.report("a question has at most \(longest) bytes, and this one has \(count)", at: key)
    }

    /// Returns the values of the fields; reports unknown members, and members without a value.
    private static func arguments(
        _ entries: [Named<String>], _ format: Format, isCommand: Bool, _ names: [String], _ reader: MappingReader
    ) -> [Argument] {
        let open = format.fields.filter { $0.needsValue }.map(\.name)
        let known = format.fields.filter { !$0.isConstant }.map(\.name)
        for entry in entries where !known.contains(entry.name) {
            reader.mistakes.reportUnknown("member", entry.name, among: known, at: entry.position)
        }
        let missing = open.filter { name in !entries.contains { $0.name == name } }
        if let first = missing.first, !isCommand {
            reader.mistakes.report(
                "the field \(first.quotedForMessage) of the question has no value: add value: {\(first): 1}, or a formula value "
                    + "to the field", at: reader.position)
        }
        if isCommand, missing.isEmpty {
            reader.mistakes.report(
                "a command needs a field without a value, which a request sets; remove write: true, or one of the values",
                at: reader.position)
        }
        return entries.map { entry in
            // A name in `values` of the field is a text; everything else is a formula.
            let field = format.fields.first { $0.name == entry.name }
            if field?.meaning?.values != nil, Decimal(entry.value) == nil {
                return Argument(entry.name, .text(entry.value))
            }
            do throws(ExpressionError) {
                let formula = try Expression(entry.value)
                reader.mistakes.check(
                    formula.names.sorted().map { Located($0, at: entry.position) }, among: names)
                return Argument(entry.name, .formula(formula))
            } catch {
                reader.mistakes.report(error.description, at: entry.position)
                return Argument(entry.name, .text(entry.value))
            }
        }
    }
}

extension Configuration.Question.Series {
    /// Why numbers that are known before the device has answered cannot be asked; nil: they can, or they are not known.
    fileprivate func problem(atMost most: Int, _ known: Environment) -> String? {
        guard let first = try? first.number(in: known), let last = try? last.number(in: known) else { return nil }
        guard let from = first.integer, let to = last.integer else {
            return "expected whole numbers, found \(first) and \(last)"
        }
        if from > to { return "there is no number from \(from) to \(to): write the smaller one first" }
        let (distance, isTooFar) = to.subtractingReportingOverflow(from)
        if !isTooFar, distance < most { return nil }
        return "expected at most \(most) numbers, found those from \(from) to \(to)"
    }
}

extension Field {
    /// Whether a question must give the field a value.
    fileprivate var needsValue: Bool {
        switch content {
        case .constant, .checksum, .size, .formula: false
        default: assignment == nil
        }
    }

    fileprivate var isConstant: Bool {
        if case .constant = content { true } else { false }
    }
}
