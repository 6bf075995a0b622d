import Bluetooth
import Codec
import Configuration

extension AnswerRule {
    private enum Keys {
        static let ask = Key(
            required: "ask", Kind<BytePattern>.question, example: "\"D203????????????\"",
            "The question that is written, in hexadecimal digits with ? for any digit.")
        static let on = Key(
            "on", .characteristic, example: "FFF1",
            "The characteristic that sends the answer; default: the one to which the question is written.")
        static let send = Key(
            required: "send", .oneOrMore(Kind<[Byte]>.message), example: "\"D2037C{2}00\"",
            "The bytes of the answer, or a list of messages; {0} copies byte 0 of the question.")
        static let cut = Key(
            "cut", .integer(1...longestNotification), default: "\(longestNotification)", example: "20",
            "The longest notification in bytes.")
        static let after = Key(
            "after", .duration, default: "20ms", "The time between the question and the answer.")
        static let times = Key(
            "times", .integer(1...1_000_000), example: "1",
            "How often the rule applies; the next rule with this question follows. Default: always.")
        static let faults = Key(
            "faults", Kind<[FaultRate]>.answerFaults, default: "[]", example: "{silent: 0.2}",
            "The faults of the answer with their rates, or a list of faults that always occur: "
                + Fault.allCases.map(\.rawValue).joined(separator: ", ") + ".")
        static let section = Section("answer", ask, on, send, cut, after, times, faults)
    }

    /// A fault and its rate, from 0 to 1.
    struct FaultRate: Sendable {
        let fault: Fault
        let rate: Double
    }

    static let kind = Kind<AnswerRule>.mapping(Keys.section) { reader in
        let (on, cut, after) = (reader[Keys.on], reader[Keys.cut], reader[Keys.after])
        let (times, faults) = (reader[Keys.times], reader[Keys.faults])
        guard let ask = reader[Keys.ask], let send = reader[Keys.send] else { return nil }
        return AnswerRule(
            question: ask, messages: send.map { Message(from: on, $0) }, cut: cut, delay: after, times: times,
            faults: faults.map { ($0.fault, $0.rate) })
    }
}

extension Kind where Value == BytePattern {
    fileprivate static var question: Kind {
        scalar("bytes") { text, _ throws(InvalidValue) in
            guard let pattern = BytePattern(text), pattern.count > 0 else {
                throw "expected pairs of hexadecimal digits such as \"A5??\", found \(text.quotedForMessage)"
            }
            return pattern
        }
    }
}

extension Kind where Value == [AnswerRule.Byte] {
    /// Pairs of hexadecimal digits, and `{N}` for byte N of the question.
    fileprivate static var message: Kind {
        scalar("bytes") { text, _ throws(InvalidValue) in
            var bytes: [AnswerRule.Byte] = []
            var rest = text.filter { $0 != " " }[...]
            while let first = rest.first {
                if first == "{", let end = rest.firstIndex(of: "}"), let position = Int(rest[..<end].dropFirst()),
                    0..<512 ~= position
                {
                    bytes.append(.copied(position))
                    rest = rest[rest.index(after: end)...]
                    continue
                }
                let pair = rest.prefix(2)
                guard pair.count == 2, pair.allSatisfy(\.isHexDigit), let byte = UInt8(pair, radix: 16) else {
                    throw
                        "expected pairs of hexadecimal digits, and {0} for byte 0 of the question, found \(String(pair).quotedForMessage)"
                }
                bytes.append(.fixed(byte))
                rest = rest.dropFirst(2)
            }
            return bytes
        }
    }
}

extension Kind where Value == [AnswerRule.FaultRate] {
    /// A mapping of faults to rates, or a list of faults that always occur.
    fileprivate static var answerFaults: Kind {
        .either("mapping of faults to rates | list of fault") { node in
            guard case .mapping = node.content else {
                return Kind<[AnswerRule.Fault]>.list(of: .word).map { faults in
                    faults.map { AnswerRule.FaultRate(fault: $0, rate: 1) }
                }
            }
            let rates = Kind<[Named<Decimal>]>.named(.number(atLeast: 0), form: "FAULT: RATE, such as {silent: 0.2}")
            return rates.map { entries throws(InvalidValue) in
                var faults: [AnswerRule.FaultRate] = []
                for entry in entries {
                    guard let fault = AnswerRule.Fault(rawValue: entry.name) else {
                        throw InvalidValue(
                            unknown: "fault", entry.name, among: AnswerRule.Fault.allCases.map(\.rawValue))
                    }
                    guard entry.value <= 1 else { throw "expected a rate from 0 to 1, found \(entry.value)" }
                    faults.append(AnswerRule.FaultRate(fault: fault, rate: entry.value.doubleValue))
                }
                return faults
            }
        }
    }
}
