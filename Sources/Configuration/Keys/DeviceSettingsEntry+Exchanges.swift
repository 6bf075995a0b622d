import Codec

/// Checks of questions and answers that concern several entries.
extension Configuration.DeviceSettingsEntry {
    /// The maximum number of questions of a device, without those of `first`.
    private static let mostQuestions = 32

    /// An entry with a question or with frames.
    fileprivate struct Entry {
        let name: String
        let position: Position
        let characteristic: Configuration.Characteristic
        let exchange: Configuration.Exchange
        let parameters: Environment
    }

    private var exchanges: [Entry] {
        characteristics.compactMap { entry in
            guard let characteristic = entry.value, let exchange = characteristic.exchange else { return nil }
            return Entry(
                name: entry.name, position: entry.position, characteristic: characteristic, exchange: exchange,
                parameters: settings.parameters)
        }
    }

    /// Reports entries that cannot work together.
    func checkExchanges(_ mistakes: Mistakes) {
        let entries = exchanges
        guard !entries.isEmpty else { return }
        if entries.count(where: { $0.exchange.question != nil }) > Self.mostQuestions {
            mistakes.report(
                "a device has at most \(Self.mostQuestions) questions: remove some of them", at: entries[0].position)
        }
        for entry in entries {
            checkAnsweringEntry(of: entry, among: entries, mistakes)
            checkHistory(of: entry, mistakes)
            checkNumbers(of: entry, mistakes)
        }
        checkShared(entries, mistakes)
        checkSharedNames(entries, mistakes)
        checkCircles(entries, mistakes)
        for (index, entry) in entries.enumerated() {
            for other in entries[..<index] { checkStarts(entry, other, mistakes) }
            if entry.exchange.answer?.isUnchecked == true, entry.characteristic.valid == nil {
                mistakes.warn(
                    "without a checksum, other bytes can become part of the answer of \(entry.name.quotedForMessage): add valid, "
                        + "such as valid: voltage < 100", at: entry.position)
            }
        }
    }

    /// Reports questions that the cipher of the device cannot encrypt.
    func checkCipher(_ reader: MappingReader) {
        typealias Keys = Configuration.DeviceSettings.Keys
        guard settings.cipher != nil else { return }
        let entries = exchanges
        if entries.isEmpty, settings.first.isEmpty, reader.mistakes.isEmpty {
            reader.warn("cipher has no effect here: it applies to questions and answers", at: Keys.cipher)
        }
        func check(_ question: Configuration.Question?, _ name: String, _ position: Position?) {
            guard let count = question?.fixedSize, !count.isMultiple(of: MessageCipher.blockSize) else { return }
            let size = MessageCipher.blockSize
            reader.mistakes.report(
                "the question of \(name.quotedForMessage) has \(count) bytes, but the cipher needs a multiple of \(size): append "
                    + "\(size - count % size) bytes, as the device expects them", at: position)
        }
        for entry in entries { check(entry.exchange.question, entry.name, entry.position) }
        for (index, first) in settings.first.enumerated() {
            check(first.question, "first \(index + 1)", reader.positions[Keys.first.row.name])
        }
    }

    private func checkAnsweringEntry(of entry: Entry, among entries: [Entry], _ mistakes: Mistakes) {
        guard let name = entry.exchange.answeringEntry else { return }
        let possible = entries.filter { $0.exchange.answer != nil }.map(\.name)
        guard !possible.contains(name) else { return }
        mistakes.reportUnknown("answer", name, among: possible, at: entry.position)
    }

    /// Reports a history without records, or with records of an entry that does not exist.
    private func checkHistory(of entry: Entry, _ mistakes: Mistakes) {
        guard let history = entry.exchange.history else { return }
        if entry.exchange.answer == nil {
            mistakes.report(
                "the records of \(entry.name.quotedForMessage) are an answer: add answer: {from: UUID}",
                at: entry.position)
        }
        if entry.characteristic.meaning == nil {
            mistakes.report(
                "the records of \(entry.name.quotedForMessage) need a format: add format", at: entry.position)
        }
        let owners = characteristics.map(\.name) + [Configuration.History.advertisements]
        if let owner = history.owner, !owners.contains(owner) {
            mistakes.reportUnknown("entry for history.as", owner, among: owners, at: entry.position)
        }
    }

    /// Reports entries whose name is that of a number of another entry.
    private func checkNumbers(of entry: Entry, _ mistakes: Mistakes) {
        guard entry.characteristic.isNumbered else { return }
        let start = "\(entry.characteristic.topicName)_"
        for other in characteristics {
            let name = other.value?.topicName ?? other.name
            guard name.hasPrefix(start), Int(name.dropFirst(start.count)) != nil else { continue }
            mistakes.report(
                "\(other.name.quotedForMessage) is also the topic of an answer to \(entry.name.quotedForMessage), which has each: "
                    + "rename one of them", at: other.position)
        }
    }

    /// Reports characteristics of entries without `answer` on which frames arrive.
    private func checkShared(_ entries: [Entry], _ mistakes: Mistakes) {
        let channels = entries.flatMap { $0.exchange.answer?.channels ?? [] }.map(\.characteristic)
        for entry in characteristics {
            guard let characteristic = entry.value, characteristic.exchange == nil, characteristic.subscribe,
                channels.contains(characteristic.uuid)
            else { continue }
            mistakes.report(
                "answers arrive on the characteristic of \(entry.name.quotedForMessage), \(characteristic.uuid): write answer: "
                    + "{from: \(characteristic.uuid)} in place of uuid", at: entry.position)
        }
    }

    /// Reports entries that share a name with another one, and may be valid at the same time.
    private func checkSharedNames(_ entries: [Entry], _ mistakes: Mistakes) {
        for entry in entries where entry.exchange.question?.condition == nil {
            let name = entry.characteristic.topicName
            guard let other = entries.first(where: { $0.name != entry.name && $0.characteristic.topicName == name })
            else { continue }
            mistakes.report(
                "\(entry.name.quotedForMessage) and \(other.name.quotedForMessage) have the topic \(name.quotedForMessage): add "
                    + "conditions of which only one is true, such as ask: {when: info.version >= 11}",
                at: entry.position)
        }
    }

    /// Reports questions that need values of each other.
    private func checkCircles(_ entries: [Entry], _ mistakes: Mistakes) {
        func needed(by name: String) -> [String] {
            guard let entry = entries.first(where: { $0.name == name }) else { return [] }
            return entries.map(\.name).filter { other in
                entry.names.contains { $0.hasPrefix(other + ".") } && other != name
            }
        }
        var reported: Set<String> = []
        for entry in entries {
            var reached: Set<String> = []
            var open = needed(by: entry.name)
            while let next = open.popLast() {
                if reached.insert(next).inserted { open += needed(by: next) }
            }
            // Each circle is reported once, at its first entry.
            guard reached.contains(entry.name), reached.isDisjoint(with: reported) else { continue }
            reported.insert(entry.name)
            mistakes.report(
                "the question of \(entry.name.quotedForMessage) needs its own answer: its formulas name entries that need it",
                at: entry.position)
        }
    }

    /// Reports two entries whose frames cannot be told apart.
    private func checkStarts(_ entry: Entry, _ other: Entry, _ mistakes: Mistakes) {
        guard let answer = entry.exchange.answer, let others = other.exchange.answer, answer.source == others.source,
            answer.method == .notification, others.method == .notification,
            let start = entry.patterns, let otherStart = other.patterns
        else { return }
        // Entries with conditions are for different versions of a device.
        if entry.exchange.question?.condition != nil, other.exchange.question?.condition != nil { return }
        let isSame =
            start.isEmpty || otherStart.isEmpty
            || start.contains { one in otherStart.contains { $0.canMatchSameBytes(as: one) } }
        guard isSame else { return }
        let names = "\(other.name.quotedForMessage) and \(entry.name.quotedForMessage)"
        if entry.characteristic.subscribe || other.characteristic.subscribe {
            mistakes.report(
                "the frames of \(names) cannot be told apart, and one of them is subscribed: give them different starts_with",
                at: entry.position)
        } else if answer.frame.length == others.frame.length, start == otherStart, !start.isEmpty {
            mistakes.warn(
                "the answers of \(names) have the same start and the same length: a late answer can be taken for the other one. "
                    + "For Modbus, read a different number of registers", at: entry.position)
        }
    }
}

extension Configuration.DeviceSettingsEntry.Entry {
    /// The patterns with which the frame begins; nil if they are not known before the device has answered.
    fileprivate var patterns: [BytePattern]? {
        let environment = exchange.question?.constants(in: parameters) ?? parameters
        return exchange.answer?.frame.patterns { try? $0.number(in: environment) }
    }

    /// The names in all formulas of the entry.
    fileprivate var names: Set<String> {
        exchange.names.union(characteristic.format?.outerNames.map(\.name) ?? [])
    }
}

extension Configuration.Answer {
    /// Whether wrong bytes of the answer are not noticed: it has a length or a terminator, but neither a checksum nor text.
    fileprivate var isUnchecked: Bool {
        method == .notification && frame.check == nil && !frame.isText && frame.length != nil
    }
}
