import Bluetooth
import Codec
import Configuration

/// The arguments of a command, parsed with the command's table of operands and options.
struct Arguments {
    // The keys are names, because commands have their own descriptions of common options.
    private var operands: [String: [String]] = [:]
    private var options: [String: String] = [:]
    /// Whether help was requested.
    ///
    /// All other arguments are then ignored.
    private(set) var wantsHelp = false

    /// - Throws: `Failure` with the status `usage` for an unexpected or missing argument.
    init(_ words: [String], for command: any Command.Type) throws(Failure) {
        // Help has priority over all other arguments, even invalid ones.
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
                throw Failure(.usage, "unexpected argument \(word.quotedForMessage)\(advice(for: word, command))")
            }
        }
        if let missing = places.first, !missing.isOptional, operands[missing.name] == nil {
            throw Self.failure(missing: missing)
        }
    }

    /// The value of a required operand.
    subscript(operand: Operand) -> String {
        guard let word = operands[operand.name]?.first else {
            preconditionFailure("the operand \(operand.name) is not in the command's table")
        }
        return word
    }

    /// The value of an optional operand; nil if the operand is missing.
    subscript(optional operand: Operand) -> String? {
        operands[operand.name]?.first
    }

    /// The values of a repeated operand.
    subscript(all operand: Operand) -> [String] {
        operands[operand.name] ?? []
    }

    /// Returns the value of an optional operand that the other arguments require.
    ///
    /// - Throws: `Failure` if the operand is missing.
    func required(_ operand: Operand) throws(Failure) -> String {
        guard let word = self[optional: operand] else { throw Self.failure(missing: operand) }
        return word
    }

    /// The value of an option; nil if the option is missing.
    subscript(option: Option) -> String? {
        options[option.name]
    }

    /// Returns whether an option is present.
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
        guard self.options[option.name] == nil else { throw Failure(.usage, "duplicate option \(parts[0])") }
        switch (option.value, parts.dropFirst().first) {
        case (nil, nil): self.options[option.name] = ""
        case (nil, let value?):
            throw Failure(.usage, "\(parts[0]) does not accept a value, found \(value.quotedForMessage)")
        case (_?, let value):
            // A value is empty if a script's variable is not set.
            guard let value = value ?? rest.popFirst(), !value.isEmpty else {
                throw Failure(.usage, "\(parts[0]) \(option.missingValue)")
            }
            self.options[option.name] = value
        }
    }

    /// Options of other programs, and the options here with the same effect.
    private static let optionsElsewhere = [
        "--file": ["--config"], "-f": ["--config"], "--configuration": ["--config"],
        "--duration": ["--for"], "--time": ["--for"], "-t": ["--for", "--within"], "--timeout": ["--within", "--for"],
        "--seconds": ["--for"], "--raw": ["--hex"], "--pin": ["--passkey"], "--bindkey": ["--key"],
        "--output": ["--json"],
        "--host": ["--url"], "--broker": ["--url"], "--server": ["--url"], "--mqtt": ["--url"],
        "--no-response": ["--without-response"], "--type": ["--format"], "--system": ["--bus"], "--quick": ["--brief"],
    ]

    /// Options of other programs that are keys of the configuration here.
    private static let settingsElsewhere = [
        "--debug": "write log: debug into the configuration", "--verbose": "write log: debug into the configuration",
        "--log": "write log: debug into the configuration", "--log-level": "write log: debug into the configuration",
        "--adapter": "write bluetooth: {adapters: […]} into the configuration",
        "--hci": "write bluetooth: {adapters: […]} into the configuration",
        "--broker": "write mqtt: {url: mqtt://HOST} into the configuration",
        "--host": "write mqtt: {url: mqtt://HOST} into the configuration",
        "--url": "write mqtt: {url: mqtt://HOST} into the configuration",
        "--prefix": "write mqtt: {prefix: …} into the configuration",
    ]

    private static func failure(unknown word: String, among options: [Option]) -> Failure {
        let names = options.map { "--\($0.name)" }
        if let meant = optionsElsewhere[word]?.first(where: names.contains) {
            return Failure(.usage, "unknown option \(word.quotedForMessage): did you mean \(meant.quotedForMessage)?")
        }
        if let advice = settingsElsewhere[word], names.contains("--config") {
            return Failure(.usage, "unknown option \(word.quotedForMessage): \(advice)")
        }
        // Short options do not exist, but users know them from other programs.
        guard word.count == 2, let meant = names.first(where: { $0.dropFirst(2).first == word.last }) else {
            return Failure(.usage, InvalidValue(unknown: "option", word, among: names).message)
        }
        return Failure(.usage, "unknown option \(word.quotedForMessage): did you mean \(meant.quotedForMessage)?")
    }

    /// Returns advice with the command line that the user probably meant: the word may be the value of an option that is
    /// not present; empty if no option fits.
    private func advice(for word: String, _ command: any Command.Type) -> String {
        let option = command.options.first { option in
            guard !contains(option) else { return false }
            return switch option.value {
            case "DURATION": (try? Duration(positive: word)) != nil
            case "DIGITS": Passkey(word) != nil
            case "FILE": option.name == Option.config.name && [".yaml", ".yml"].contains(where: word.hasSuffix)
            default: false
            }
        }
        let acceptsFile = command.operands.contains { $0.name == ConfigurationFile.operand.name }
        guard let option, !(acceptsFile && option.value == "FILE") else { return "" }
        let words = [Program.name, command.name] + command.operands.flatMap { operands[$0.name] ?? [] }
        return ": did you mean \((words + ["--\(option.name)", word]).joined(separator: " ").printable)?"
    }

    private static func failure(missing operand: Operand) -> Failure {
        Failure(.usage, "missing argument \(operand.name): \(operand.summary)")
    }

    /// Returns whether an argument is an option; `-5` and `-` are operands.
    private static func isOption(_ word: String) -> Bool {
        word.hasPrefix("--") || (word.hasPrefix("-") && word.dropFirst().first?.isLetter == true)
    }
}
