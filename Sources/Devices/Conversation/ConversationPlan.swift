package import Codec
package import Configuration

/// The part of a device's configuration that its conversation uses.
package struct ConversationPlan: Sendable {
    /// An entry with a question, or with frames that arrive unasked.
    package struct Item: Sendable {
        package let name: String
        package fileprivate(set) var question: Configuration.Question?
        package let answer: Configuration.Answer?
        /// The format of the answer; nil: its bytes.
        package let format: Format?
        /// The condition without which the answer is rejected.
        package let valid: Expression?
        /// Whether frames that were not asked for are delivered.
        package let isSubscribed: Bool
        /// Whether the question is a command, whose values a client gives.
        package let isCommand: Bool
        /// The item whose answer this is, and which delivers it; nil: the item itself.
        package fileprivate(set) var answering: Int?
        /// How the records of the answer are published; nil: the answer is a value.
        package fileprivate(set) var history: Configuration.History?
        /// The interval at which a first question is repeated, and the least time between two of them.
        package let interval: Duration?
        package let leastInterval: Duration?
    }

    /// The items: the first questions, followed by the entries in the order of the file.
    package private(set) var items: [Item]
    /// The number of first questions.
    package let firstCount: Int
    /// The characteristics on which frames arrive as notifications.
    package let channels: [Configuration.Place]
    /// Whether questions and answers are encrypted.
    let isEncrypted: Bool
    /// The values that the configuration gives to formulas.
    private(set) var parameters: Environment
    /// The names in the formulas of all items: only these values are kept.
    let usedNames: Set<String>

    /// Creates the plan of a device; the result is nil if the device has neither questions nor frames.
    ///
    /// - Parameters:
    ///   - settings: The settings of the device.
    ///   - includingFirst: Whether the questions of the key `first` are asked.
    package init?(_ settings: Configuration.DeviceSettings, includingFirst: Bool = true) {
        let exchanges = settings.characteristics.filter { $0.exchange != nil }
        let names = exchanges.flatMap { entry in
            (entry.exchange?.names ?? []).union(entry.meaning?.outerNames.map(\.name) ?? [])
        }
        // A characteristic that a formula names is read before the question.
        let entries = settings.characteristics.filter { entry in
            entry.exchange != nil
                || entry.canBeReadForQuestions && names.contains { $0.hasPrefix("\(entry.name).") }
        }
        let first = includingFirst ? settings.first : []
        guard !entries.isEmpty || !first.isEmpty else { return nil }
        var items: [Item] = first.enumerated().map { index, first in
            Item(
                name: "first \(index + 1)", question: first.question, answer: first.answer, format: nil, valid: nil,
                isSubscribed: false, isCommand: false, history: nil, interval: first.interval,
                leastInterval: first.leastInterval)
        }
        let firstCount = items.count
        self.firstCount = firstCount
        items += entries.map { entry in
            let answering = entries.first { $0.name == entry.exchange?.answeringEntry } ?? entry
            return Item(
                name: entry.name, question: entry.exchange?.question,
                answer: entry.isExchange ? answering.exchange?.answer : entry.plainAnswer,
                format: answering.meaning, valid: answering.valid, isSubscribed: entry.subscribe,
                isCommand: entry.isExchange && entry.write != nil, history: entry.exchange?.history, interval: nil,
                leastInterval: nil)
        }
        for (index, entry) in entries.enumerated() {
            guard let name = entry.exchange?.answeringEntry else { continue }
            items[firstCount + index].answering = entries.firstIndex { $0.name == name }.map { firstCount + $0 }
        }
        self.items = items
        var channels: [Configuration.Place] = []
        for channel in items.compactMap(\.answer).flatMap(\.channels) where !channels.contains(channel) {
            channels.append(channel)
        }
        self.channels = channels
        isEncrypted = settings.cipher != nil
        parameters = settings.parameters
        usedNames = items.reduce(into: []) { $0.formUnion($1.names) }
    }

    /// The prefix of the names of the values in the newest record of a history.
    static let last = "last."

    /// The names of values in the newest record of a history, as far as formulas use them.
    var lastNames: [String] { usedNames.filter { $0.hasPrefix(Self.last) } }

    /// The plan in which each question is asked once, and each answer is a value: without series and histories.
    var single: ConversationPlan {
        var plan = self
        for (index, item) in items.enumerated() {
            if let series = item.question?.series { plan.parameters[series.name] = .number(.zero) }
            plan.items[index].question?.series = nil
            plan.items[index].history = nil
        }
        for name in lastNames + ["since"] { plan.parameters[name] = .number(.zero) }
        return plan
    }

    /// Returns why the bytes of an item's question and answer must not be shown; nil: they may be shown.
    package func secrecy(of item: Int) -> Secrecy? {
        items[item].usesPIN ? .containsPIN : isEncrypted ? .encrypted : nil
    }

    /// Why the bytes of a question must not be shown.
    package enum Secrecy: Sendable {
        case containsPIN, encrypted
    }

    /// Returns the index of an item; nil if no entry with this name has a question or frames.
    package func index(of name: String) -> Int? {
        items.dropFirst(firstCount).firstIndex { $0.name == name }
    }

    /// Returns the index of the entry to which a value belongs: that of `status` for `status.cells`.
    func owner(of name: String) -> Int? {
        guard let dot = name.lastIndex(of: ".") else { return nil }
        return index(of: String(name[..<dot]))
    }
}

extension Configuration.Characteristic {
    /// Whether the characteristic is read without a question, before a question that names its value.
    fileprivate var canBeReadForQuestions: Bool { !isExchange && !subscribe && write == nil && instance == 1 }

    /// The answer without a question: the value of the characteristic.
    fileprivate var plainAnswer: Configuration.Answer {
        Configuration.Answer(
            source: Configuration.Place(service: service, characteristic: uuid), method: .read(after: .zero))
    }
}

extension ConversationPlan {
    /// All characteristics to which questions are written, or on which answers arrive.
    package var places: [Configuration.Place] {
        items.flatMap { item in
            [item.question?.destination, item.answer?.source].compactMap { $0 } + (item.answer?.channels ?? [])
        }
    }
}

extension ConversationPlan.Item {
    /// Whether the question contains the PIN of the device.
    fileprivate var usesPIN: Bool { names.contains("pin") }

    /// Whether its value can be asked for, or read, before a question that names it.
    var canBeNeeded: Bool {
        if question != nil { return !isCommand }
        if case .read? = answer?.method { return true }
        return false
    }

    /// The names in the formulas of the question and of the answer.
    var names: Set<String> {
        Configuration.Exchange(question, answer, history: history).names.union(format?.outerNames.map(\.name) ?? [])
    }
}
