import Bluetooth
import Configuration

extension Kind where Value == [UInt8] {
    /// Bytes in hexadecimal digits.
    static var hexadecimal: Kind {
        scalar("hexadecimal bytes") { text, _ throws(InvalidValue) in
            let digits = Array(text.utf8.filter { $0 != UInt8(ascii: " ") })
            var bytes: [UInt8] = []
            for index in stride(from: 0, to: digits.count, by: 2) {
                let pair = String(decoding: digits[index...].prefix(2), as: UTF8.self)
                guard pair.utf8.count == 2, pair.allSatisfy(\.isHexDigit), let byte = UInt8(pair, radix: 16) else {
                    throw "expected pairs of hexadecimal digits, for example 0a01, found \(pair)"
                }
                bytes.append(byte)
            }
            return bytes
        }
    }
}

extension Kind where Value == [Fault.Rule] {
    /// A list whose elements are the names of faults, or mappings with a fault and the number of its occurrences.
    static var faults: Kind {
        .list(
            of: Kind<Fault.Rule>.either("fault | {fault, times}") { node in
                if case .mapping = node.content { return Fault.Rule.kind }
                return Kind<Fault>.fault.map { Fault.Rule($0) }
            })
    }
}

extension Kind where Value == Fault {
    static var fault: Kind {
        let names = Fault.allCases.map(\.rawValue)
        return scalar("fault") { text, _ throws(InvalidValue) in
            guard let fault = Fault(rawValue: text) else { throw InvalidValue(unknown: "fault", text, among: names) }
            return fault
        }
    }
}

extension Fault.Rule {
    enum Keys {
        static let fault = Key(required: "fault", Kind<Fault>.fault, example: "connect aborts", "The fault.")
        static let times = Key(
            "times", .integer(1...1_000_000), example: "3", "The number of occurrences; default: every time.")

        static let section = Section("fault", fault, times)
    }

    /// Returns the description of a key with a list of rules, for the reference.
    static func meaning(_ faults: [Fault], example: Fault) -> String {
        let names = faults.map(\.rawValue).joined(separator: ", ")
        let rule = "{fault: \(example.rawValue), times: 3}"
        return "The faults. A fault occurs every time, or a number of times: \(rule). Faults: \(names)."
    }

    static let kind = Kind<Fault.Rule>.mapping(Keys.section) { reader in
        let times = reader[Keys.times]
        return reader[Keys.fault].map { Fault.Rule($0, times: times) }
    }
}
