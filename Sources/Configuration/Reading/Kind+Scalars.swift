package import Codec
import System

extension Kind {
    /// A kind whose values are YAML scalars.
    ///
    /// `parse` converts the text. The argument `isPlain` is true for a text without quotes, which may be a number or a
    /// boolean.
    package static func scalar(
        _ name: String, _ parse: @escaping @Sendable (_ text: String, _ isPlain: Bool) throws(InvalidValue) -> Value
    ) -> Kind {
        Kind(name) { node, mistakes in
            do throws(InvalidValue) {
                guard case .scalar(let text, let isPlain) = node.content, !node.isNull else {
                    throw InvalidValue(stringLiteral: "expected \(name), found \(node.summary)\(node.scalarAdvice)")
                }
                let value = try parse(text, isPlain)
                if isPlain, let advice = text.quotationAdvice, text.last?.isTypographicQuotation == true {
                    mistakes.warn("the quotation marks are part of the text: \(advice)", at: node.position)
                }
                return value
            } catch {
                let advice = (node.quotationAdvice ?? node.spaceAdvice ?? node.variableAdvice).map { " (\($0))" } ?? ""
                mistakes.report(error.message + advice, at: node.position)
                return nil
            }
        }
    }

    /// One of several words.
    ///
    /// - Parameters:
    ///   - words: the words and their values.
    ///   - synonyms: the words of other programs in lower case, and the words here.
    /// - Returns: The kind.
    package static func choice(_ words: KeyValuePairs<String, Value>, synonyms: [String: String] = [:]) -> Kind {
        let names = words.map(\.key)
        return scalar(names.joined(separator: " | ")) { text, _ throws(InvalidValue) in
            if let word = words.first(where: { $0.key == text }) { return word.value }
            if let meant = synonyms[text.lowercased()] ?? words.first(where: { $0.key == text.lowercased() })?.key {
                let list = names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
                throw "expected \(list), found \(text.quotedForMessage): write \(meant)"
            }
            throw InvalidValue(expected: names, found: text)
        }
    }
}

extension YAMLNode {
    /// Advice about a list or mapping with one scalar, in the place of the scalar; empty for any other node.
    fileprivate var scalarAdvice: String {
        switch content {
        case .sequence(let items):
            guard items.count == 1, case .scalar(let text, isPlain: true) = items[0].content, !items[0].isNull else {
                return ""
            }
            return ": write \(text.shortened(to: 60)), without the list"
        // `device: {name}`
        case .mapping(let entries) where entries.count == 1 && entries[0].value.isNull:
            return ": put the text in quotes: \"{\(entries[0].key.shortened(to: 60))}\""
        case .mapping(let entries):
            if let duration = Duration.meant(by: entries) { return ": write \(duration.exactText)" }
            guard entries.count == 1, case .scalar(let text, isPlain: true) = entries[0].value.content,
                !entries[0].value.isNull,
                ["every", "interval", "level", "type", "mode", "value", "name"].contains(entries[0].key)
            else { return "" }
            // `every 10m`, but `debug` of `level: debug`.
            return ": write \(entries[0].key == "every" ? "every " : "")\(text.shortened(to: 60))"
        case .scalar: return ""
        }
    }

    /// Advice about typographic quotation marks, which are part of the text in YAML; nil without them.
    fileprivate var quotationAdvice: String? {
        guard case .scalar(let text, isPlain: true) = content else { return nil }
        return text.quotationAdvice
    }

    /// Advice about a variable, which is part of the text; nil without one.
    fileprivate var variableAdvice: String? {
        guard case .scalar(let text, _) = content, text.hasPrefix("$") else { return nil }
        return "variables are not replaced: write the value, or set the environment variable of the key, such as "
            + "BLUEFLEET_MQTT_URL"
    }

    /// Advice about spaces that are part of the text in YAML; nil without them.
    var spaceAdvice: String? {
        guard case .scalar(let text, isPlain: true) = content else { return nil }
        return text.spaceAdvice
    }
}

extension String {
    fileprivate var quotationAdvice: String? {
        first?.isTypographicQuotation == true ? "write straight quotation marks: \" or '" : nil
    }
}

extension Character {
    fileprivate var isTypographicQuotation: Bool { "“”„‘’‚«»".contains(self) }
}

extension Kind where Value == String {
    /// Text that is not empty and contains no NUL character.
    package static var text: Kind {
        scalar("text") { text, _ throws(InvalidValue) in
            guard !text.isEmpty else { throw "expected text that is not empty" }
            guard !text.unicodeScalars.contains("\0") else { throw "text must not contain a NUL character" }
            if let scalar = TopicName.deceptiveScalar(in: text) {
                throw "text must not contain the invisible character \(TopicName.code(of: scalar))"
            }
            return text
        }
    }
}

extension Kind where Value == Bool {
    package static var boolean: Kind {
        scalar("boolean") { text, isPlain throws(InvalidValue) in
            guard isPlain || Bool(text.lowercased()) == nil else {
                throw "expected true or false, found \(text.quotedForMessage) in quotes: remove the quotes"
            }
            switch text.lowercased() {
            case "true": return true
            case "false": return false
            // YAML 1.1 reads some of these words as booleans, YAML 1.2 as text.
            case "yes", "on", "y", "1", "always", "enabled", "enable", "notify", "indicate":
                throw "expected true or false, found \(text.quotedForMessage): write true"
            case "no", "off", "n", "0", "never", "none", "disabled", "disable":
                throw "expected true or false, found \(text.quotedForMessage): write false"
            default: throw "expected true or false, found \(text.quotedForMessage)"
            }
        }
    }
}

extension Kind where Value == Int {
    /// A whole number, decimal or hexadecimal with `0x`.
    package static func integer(_ range: ClosedRange<Int> = .min ... .max) -> Kind {
        scalar("whole number") { text, isPlain throws(InvalidValue) in try number(text, isPlain, in: range) }
    }

    /// Parses a whole number.
    ///
    /// - Throws: `InvalidValue` for another text, a text in quotes, or a number out of the range.
    static func number(_ text: String, _ isPlain: Bool, in range: ClosedRange<Int>) throws(InvalidValue) -> Int {
        let isBounded = range.lowerBound != .min || range.upperBound != .max
        let form = isBounded ? "a whole number from \(range.lowerBound) to \(range.upperBound)" : "a whole number"
        let value = try Int(yaml: text, expecting: form)
        guard isPlain else {
            throw "expected a whole number, found \(text.quotedForMessage) in quotes: remove the quotes"
        }
        guard range.contains(value) else {
            throw "expected a number from \(range.lowerBound) to \(range.upperBound), found \(text)"
        }
        return value
    }
}

extension Decimal {
    /// Parses a number of YAML 1.2, e.g.
    ///
    /// `-1.5`, `+.5` or `2e3`.
    ///
    /// A leading 0 is rejected, because other programs read such a number as octal.
    package init(yaml text: String) throws(InvalidValue) {
        let isNegative = text.hasPrefix("-")
        let digits = isNegative || text.hasPrefix("+") ? text.dropFirst() : text[...]
        guard !digits.hasPrefix("-"), let number = Decimal((digits.hasPrefix(".") ? "0" : "") + digits) else {
            throw "expected a number such as 0.5, found \(text.quotedForMessage)\(Self.advice(about: text))"
        }
        guard digits.first != "0" || digits.dropFirst().first?.isNumber != true else {
            throw "a leading 0 is ambiguous (octal in some programs): remove it"
        }
        self = isNegative ? -number : number
    }

    /// Returns the number that a text may mean: with a decimal comma, as a fraction, or with a unit.
    private static func advice(about text: String) -> String {
        if text.contains(",") {
            let corrected = Decimal(String(text.map { $0 == "," ? "." : $0 }))
            return ": use a decimal point" + (corrected.map { ": \($0)" } ?? "")
        }
        if let meant = meant(by: text) { return ": write \(meant)" }
        let digits = text.prefix { $0.isNumber || $0 == "." || $0 == "-" }
        guard !digits.isEmpty, digits.count < text.count, let number = Decimal(String(digits)),
            !text.dropFirst(digits.count).contains(where: \.isNumber)
        else { return "" }
        return ": write \(number), without a unit"
    }
}

extension FixedWidthInteger {
    /// Parses a whole number of digits without a leading 0; nil for any other text.
    init?(digits: Substring) {
        guard digits.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }),
            digits.count == 1 || digits.first != "0"
        else { return nil }
        self.init(digits)
    }

    /// Parses a whole number of YAML 1.2, e.g.
    ///
    /// `-12` or `0x1F`.
    ///
    /// A leading 0, as in `017`, is rejected, because other programs read such a number as octal.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - form: The expected form, for the message about a text that means no number.
    /// - Throws: `InvalidValue` for any other text.
    init(yaml text: String, expecting form: String = "a whole number") throws(InvalidValue) {
        let isNegative = text.hasPrefix("-")
        let digits = isNegative || text.hasPrefix("+") ? text.dropFirst() : text[...]
        let isHexadecimal = digits.hasPrefix("0x")
        let number = isHexadecimal ? digits.dropFirst(2) : digits
        let isNumber = isHexadecimal ? number.allSatisfy(\.isHexDigit) : number.allSatisfy { ("0"..."9").contains($0) }
        guard isNumber, !number.isEmpty else {
            let advice = Self.advice(about: text, number)
            throw InvalidValue(
                stringLiteral:
                    "expected \(advice.isEmpty ? form : "a whole number"), found \(text.quotedForMessage)\(advice)")
        }
        guard isHexadecimal || number.count == 1 || number.first != "0" else {
            throw "a leading 0 is ambiguous (octal in some programs): remove it, or write 0x for hexadecimal"
        }
        guard let value = Self((isNegative ? "-" : "") + number, radix: isHexadecimal ? 16 : 10) else {
            throw "the number \(text) is too large"
        }
        self = value
    }

    /// Returns the advice about a text that is no whole number, such as `FFFFh` or `-85 dBm`.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - number: The text without a sign.
    /// - Returns: The advice; empty if the text has no clear meaning.
    private static func advice(about text: String, _ number: Substring) -> String {
        guard text.isShort else { return "" }
        let hex = number.last == "h" || number.last == "H" ? number.dropLast() : number
        let digits = hex.hasPrefix("0X") ? hex.dropFirst(2) : hex
        if !digits.isEmpty, digits.allSatisfy(\.isHexDigit), !number.hasPrefix("0b") {
            return ": write 0x\(digits.uppercased()) for hexadecimal"
        }
        if let meant = meant(by: text) { return ": write \(meant)" }
        let count = text.prefix { $0.isNumber || $0 == "-" }
        let unit = text.dropFirst(count.count)
        guard Self(count) != nil, unit.allSatisfy({ $0.isLetter || $0 == " " || $0 == "/" }) else { return "" }
        return ": write \(count), without a unit"
    }
}
