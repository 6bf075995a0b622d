internal import Codec
internal import Configuration

/// What was typed after a command's name, sorted by the command's own table.
struct Arguments {
    // Both by name: a command may describe a common option in words of its own.
    private var operands: [String: [String]] = [:]
    private var options: [String: String] = [:]
    /// Whether help was asked for; what else was typed does not count then.
    private(set) var wantsHelp = false

    /// - Throws: `Failure` with the status `usage` for a word that the command does not know, or that is missing.
    init(_ words: [String], for command: any Command.Type) throws(Failure) {
        // Help is given whatever else is on the line, however wrong.
        if words.prefix(while: { $0 != "--" }).contains(where: { ["--help", "-h"].contains($0) }) {
            wantsHelp = true
            return
        }
        var rest = words[...]
        var places = command.operands[...]
        var onlyOperands = false
        while let word = rest.popFirst() {
            if word == "--" && !onlyOperands {
                onlyOperands = true
            } else if !onlyOperands && Self.isOption(word) {
                try take(word, from: &rest, for: command)
            } else if let place = places.first {
                operands[place.name, default: []].append(word)
                if !place.isRepeated { places.removeFirst() }
            } else {
                throw Failure(.usage, "\(word.quotedForMessage) is one word too many\(advice(for: word, command))")
            }
        }
        if let missing = places.first, !missing.isOptional, operands[missing.name] == nil {
            throw Self.failure(missing: missing)
        }
    }

    /// The word of an operand that must be there.
    subscript(operand: Operand) -> String {
        guard let word = operands[operand.name]?.first else {
            preconditionFailure("the operand \(operand.name) is asked for, but is not in the command's table")
        }
        return word
    }

    /// The word of an operand that may be left out.
    subscript(optional operand: Operand) -> String? {
        operands[operand.name]?.first
    }

    /// The words of an operand that may be repeated.
    subscript(all operand: Operand) -> [String] {
        operands[operand.name] ?? []
    }

    /// The word of an operand that may be left out, but not this time.
    func required(_ operand: Operand) throws(Failure) -> String {
        guard let word = self[optional: operand] else { throw Self.failure(missing: operand) }
        return word
    }

    /// The value of an option; nil when it was not given.
    subscript(option: Option) -> String? {
        options[option.name]
    }

    /// Whether an option was given.
    func contains(_ option: Option) -> Bool {
        options[option.name] != nil
    }

    private mutating func take(
        _ word: String, from rest: inout ArraySlice<String>, for command: any Command.Type
    ) throws(Failure) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let options = command.options + [.help]
        guard let option = options.first(where: { "--\($0.name)" == parts[0] }) else {
            throw Self.failure(unknown: parts[0], among: options)
        }
        guard self.options[option.name] == nil else { throw Failure(.usage, "\(parts[0]) is given twice") }
        switch (option.value, parts.dropFirst().first) {
        case (nil, nil): self.options[option.name] = ""
        case (nil, let value?): throw Failure(.usage, "\(parts[0]) takes no value, found '\(value)'")
        case (let name?, let value):
            // An empty one is that of a script's variable which is not set.
            guard let value = value ?? rest.popFirst(), !value.isEmpty else {
                throw Failure(.usage, "\(parts[0]) needs a value: \(option.usage), \(name) being \(option.summary)")
            }
            self.options[option.name] = value
        }
    }

    private static func failure(unknown word: String, among options: [Option]) -> Failure {
        let names = options.map { "--\($0.name)" }
        // There are no options of one letter, but other programs have them.
        guard word.count == 2, let meant = names.first(where: { $0.dropFirst(2).first == word.last }) else {
            return Failure(.usage, Complaint(unknown: "option", word, among: names).sentence)
        }
        return Failure(.usage, "unknown option \(word.quotedForMessage): did you mean \(meant.quotedForMessage)?")
    }

    /// The command line that takes a word which is too many, where that may be a configuration.
    private func advice(for word: String, _ command: any Command.Type) -> String {
        guard command.options.contains(where: { $0.name == Option.config.name }), !contains(.config) else { return "" }
        let words = [Program.name, command.name] + command.operands.flatMap { operands[$0.name] ?? [] }
        return ": \((words + ["--config", word]).joined(separator: " ").printable)"
    }

    private static func failure(missing operand: Operand) -> Failure {
        Failure(.usage, "\(operand.name) is missing: \(operand.summary)")
    }

    /// Whether a word is meant as an option: `-5` and `-` are not.
    private static func isOption(_ word: String) -> Bool {
        word.hasPrefix("--") || (word.hasPrefix("-") && word.dropFirst().first?.isLetter == true)
    }
}
