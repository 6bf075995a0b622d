import Bluetooth
import Codec

extension Configuration.Exchange {
    /// An answer, or the name of the entry whose answer it is, as a node.
    static let answer = Kind<YAMLNode>("mapping | text", section: Configuration.Answer.Keys.section) { node, mistakes in
        if case .scalar = node.content { return node }
        return Configuration.Answer.defaults.read(node, mistakes)
    }

    /// Creates the question and the answer of an entry, whose keys are merged with the defaults of the device.
    ///
    /// - Parameters:
    ///   - name: The name of the entry.
    ///   - reader: The keys of the entry.
    ///   - names: The names that formulas may use.
    init?(of name: Located<String>, _ reader: MappingReader, _ names: ExchangeNames) {
        typealias Keys = Configuration.Characteristic.Keys
        let endian = reader[Keys.endian]
        let history = reader[Keys.history]
        let names = names.including(historyOf: name.value)
        let (askNode, answerNode) = (reader.node(of: Keys.ask), reader.node(of: Keys.answer))
        var question: Configuration.Question?
        if reader.has(Keys.ask), let askNode {
            let asked = MappingReader(askNode, Configuration.Question.Keys.section, reader.mistakes).flatMap {
                Configuration.Question(
                    $0, of: name.value, isCommand: reader[Keys.write] != nil, endian: endian, names)
            }
            guard let asked else { return nil }
            question = asked
        }
        if question == nil {
            for key in [Keys.write.row.name, Keys.read.row.name] where reader.positions[key] != nil {
                reader.mistakes.report(
                    "\(key) needs a question: add ask, or remove \(key)", at: reader.positions[key])
            }
        }
        if let history {
            names.checkList(of: history, in: name.value, reader)
            reader.check(
                history.time, at: Keys.history, among: names.forRecords(of: name.value, askedBy: askNode))
        }
        guard reader.has(Keys.answer), let answerNode else {
            self.init(question, nil, history: history)
            return
        }
        if case .scalar(let entry, _) = answerNode.content {
            guard question != nil else {
                reader.report("the answer of another entry needs a question: add ask", at: Keys.answer)
                return nil
            }
            if history != nil {
                reader.report("history needs an answer of its own: write answer: {from: UUID}", at: Keys.history)
                return nil
            }
            self.init(question, nil, answeringEntry: entry)
            return
        }
        let answer = MappingReader(answerNode, Configuration.Answer.Keys.section, reader.mistakes).flatMap {
            Configuration.Answer($0, to: question, of: name.value, names.forAnswers(to: askNode), names.environment)
        }
        guard let answer else { return nil }
        self.init(question, answer, history: history)
    }

    /// The characteristic on which values arrive; that of the question if there is no answer of its own.
    var place: Configuration.Place? {
        answer?.source ?? question?.destination
    }
}

extension Configuration.FirstQuestion {
    enum Keys {
        static let ask = Key(
            required: "ask", Configuration.Question.defaults, example: "{hex: \"A01F\"}", "The question.")
        static let answer = Key(
            "answer", Configuration.Answer.defaults, example: "{starts_with: \"A0\"}",
            "The answer; without it, no answer is expected.")
        static let every = Key(
            "every", .positiveDuration, example: "10s",
            "The interval at which the question is repeated while the device is connected.")
        static let atMostEvery = Key(
            "at_most_every", .positiveDuration, example: "1d", "The least time between two of these questions.")
        static let section = Section("first question", ask, answer, every, atMostEvery, example: "{ask: {hex: A01F}}")
    }

    /// The maximum number of first questions of a device.
    static let limit = 16

    /// The questions after each connection, as a node that is read with the defaults of the device.
    static let list = Kind<YAMLNode>("list of first question", section: Keys.section) { node, mistakes in
        guard case .sequence(let items) = node.content else {
            mistakes.report(
                "expected a list such as [\(Keys.section.sample)], found \(node.summary)", at: node.position)
            return nil
        }
        if items.count > limit {
            mistakes.report("expected at most \(limit) questions, found \(items.count)", at: node.position)
        }
        return node
    }

    /// Reads the questions, whose keys are merged with the addresses of the defaults.
    static func read(
        _ node: YAMLNode, endian: Field.Endian, _ names: ExchangeNames, _ mistakes: Mistakes
    ) -> [Configuration.FirstQuestion] {
        guard case .sequence(let items) = node.content else { return [] }
        return items.enumerated().compactMap { index, item in
            MappingReader(item, Keys.section, mistakes).flatMap {
                Configuration.FirstQuestion($0, name: "first \(index + 1)", endian: endian, names)
            }
        }
    }

    private init?(_ reader: MappingReader, name: String, endian: Field.Endian, _ names: ExchangeNames) {
        let (interval, least) = (reader[Keys.every], reader[Keys.atMostEvery])
        guard reader.has(Keys.ask), let ask = reader.node(of: Keys.ask),
            let question = MappingReader(ask, Configuration.Question.Keys.section, reader.mistakes).flatMap({
                Configuration.Question($0, of: name, isCommand: false, endian: endian, names)
            })
        else { return nil }
        var answer: Configuration.Answer?
        if reader.has(Keys.answer), let node = reader.node(of: Keys.answer) {
            answer = MappingReader(node, Configuration.Answer.Keys.section, reader.mistakes).flatMap {
                Configuration.Answer($0, to: question, of: name, names.forAnswers(to: ask), names.environment)
            }
            guard answer != nil else { return nil }
        }
        self.init(question, answer, interval: interval, leastInterval: least)
    }
}
