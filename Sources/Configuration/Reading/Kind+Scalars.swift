package import Codec

extension Kind {
    /// A kind whose values are written as one piece of text.
    ///
    /// `parse` gets the text and whether it stands without quotes; only then it may mean a number or a boolean.
    package static func scalar(
        _ name: String, _ parse: @escaping @Sendable (_ text: String, _ isPlain: Bool) throws(Complaint) -> Value
    ) -> Kind {
        Kind(name) { node, mistakes in
            do throws(Complaint) {
                guard case .scalar(let text, let isPlain) = node.content, !node.isNull else {
                    throw "expected \(name), found \(node.summary)"
                }
                return try parse(text, isPlain)
            } catch {
                mistakes.report(error.sentence, at: node.position)
                return nil
            }
        }
    }

    /// One of a few words.
    package static func choice(_ words: KeyValuePairs<String, Value>) -> Kind {
        let names = words.map(\.key)
        return scalar(names.joined(separator: " | ")) { text, _ throws(Complaint) in
            if let word = words.first(where: { $0.key == text }) { return word.value }
            throw Complaint(expected: names, found: text)
        }
    }
}

extension Kind where Value == String {
    /// Any text but none.
    package static var text: Kind {
        scalar("text") { text, _ throws(Complaint) in
            guard !text.isEmpty else { throw "expected a text, found nothing" }
            guard !text.unicodeScalars.contains("\0") else { throw "a text cannot hold a NUL character" }
            return text
        }
    }
}

extension Kind where Value == Bool {
    package static var boolean: Kind {
        scalar("boolean") { text, isPlain throws(Complaint) in
            guard isPlain else { throw "expected true or false, found \(text.quotedForMessage) in quotes" }
            switch text.lowercased() {
            case "true": return true
            case "false": return false
            // YAML 1.1 called these booleans, YAML 1.2 calls them text.
            case "yes", "on", "y": throw "expected true or false, found \(text.quotedForMessage): write true"
            case "no", "off", "n": throw "expected true or false, found \(text.quotedForMessage): write false"
            default: throw "expected true or false, found \(text.quotedForMessage)"
            }
        }
    }
}

extension Kind where Value == Int {
    /// A whole number, decimal or with `0x`.
    package static func integer(_ range: ClosedRange<Int> = .min ... .max) -> Kind {
        scalar("whole number") { text, isPlain throws(Complaint) in
            guard isPlain else { throw "expected a whole number, found \(text.quotedForMessage) in quotes" }
            let value = try Int(yaml: text)
            guard range.contains(value) else {
                throw "expected a number from \(range.lowerBound) to \(range.upperBound), found \(text)"
            }
            return value
        }
    }
}

extension Decimal {
    /// A number as YAML 1.2 writes it: `-1.5`, `+.5`, `2e3`; like a whole one never with a needless 0 in front.
    package init(yaml text: String) throws(Complaint) {
        let isNegative = text.hasPrefix("-")
        let digits = isNegative || text.hasPrefix("+") ? text.dropFirst() : text[...]
        guard !digits.hasPrefix("-"), let number = Decimal((digits.hasPrefix(".") ? "0" : "") + digits) else {
            throw "expected a number such as 0.5, found \(text.quotedForMessage)"
        }
        guard digits.first != "0" || digits.dropFirst().first?.isNumber != true else {
            throw "a number that begins with 0 is octal to some: drop the 0"
        }
        self = isNegative ? -number : number
    }
}

extension FixedWidthInteger {
    /// A whole number of nothing but digits, with no needless 0 in front; nil for anything else.
    init?(digits: Substring) {
        guard digits.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }),
            digits.count == 1 || digits.first != "0"
        else { return nil }
        self.init(digits)
    }

    /// A whole number as YAML 1.2 writes it: `-12`, `0x1F`, never the ambiguous `017`.
    init(yaml text: String) throws(Complaint) {
        let isNegative = text.hasPrefix("-")
        let digits = isNegative || text.hasPrefix("+") ? text.dropFirst() : text[...]
        let isHexadecimal = digits.hasPrefix("0x")
        let number = isHexadecimal ? digits.dropFirst(2) : digits
        guard number.first?.isHexDigit == true else {
            throw "expected a whole number, found \(text.quotedForMessage)"
        }
        guard isHexadecimal || number.count == 1 || number.first != "0" else {
            throw "a number that begins with 0 is octal to some: drop the 0, or write 0x for hexadecimal"
        }
        guard let value = Self((isNegative ? "-" : "") + number, radix: isHexadecimal ? 16 : 10) else {
            throw number.allSatisfy(\.isHexDigit) && !number.contains(where: \.isLetter)
                ? "the number \(text) is too large" : "expected a whole number, found \(text.quotedForMessage)"
        }
        self = value
    }
}
