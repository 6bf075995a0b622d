package import Bluetooth
package import Codec
import Glibc

extension Kind where Value == UUID {
    /// A UUID, or the SIG's name for it.
    package static func uuid(_ names: NumberedNames, example: String) -> Kind {
        scalar("UUID") { text, _ throws(Complaint) in
            // The text decides, whatever YAML makes of it: 1800 looks like a number, 2E19 like one with an exponent.
            if let uuid = UUID(text) ?? names[text] { return uuid }
            let advice = text.nearest(in: names.all).map { ": did you mean \($0.quotedForMessage)?" } ?? ""
            throw "expected a UUID such as \(example), found \(text.quotedForMessage)\(advice)"
        }
    }

    package static var service: Kind { uuid(AssignedNumbers.services, example: "181A") }
    package static var characteristic: Kind { uuid(AssignedNumbers.characteristics, example: "2A6E") }
}

extension Kind where Value == Address {
    package static var address: Kind {
        scalar("address") { text, _ throws(Complaint) in
            guard let address = Address(text) else {
                throw "expected an address such as C0:00:00:00:00:01, found \(text.quotedForMessage)"
            }
            return address
        }
    }
}

extension Kind where Value == Decimal {
    /// An exact number, not below `least`.
    package static func number(atLeast least: Decimal? = nil) -> Kind {
        scalar("number") { text, isPlain throws(Complaint) in
            guard isPlain else { throw "expected a number, found \(text.quotedForMessage) in quotes" }
            let number = try Decimal(yaml: text)
            if let least, number < least { throw "expected a number not below \(least), found \(text)" }
            return number
        }
    }
}

extension Kind where Value == String {
    /// A name that becomes one or more levels of a topic.
    package static var topic: Kind {
        text.map("topic") { text throws(Complaint) in
            if let complaint = TopicName.complaint(about: text) { throw Complaint(stringLiteral: complaint) }
            return text
        }
    }

    /// The path of a file or folder; a relative one starts where the configuration lies.
    package static var path: Kind {
        let text = Kind<String>.text.map { text throws(Complaint) in
            guard !text.hasPrefix("~") else { throw "'~' stands for no folder here: write out the path that is meant" }
            return text
        }
        return Kind("path") { node, mistakes in
            text.read(node, mistakes).map { path in
                guard !path.hasPrefix("/"), let slash = mistakes.file.lastIndex(of: "/") else { return path }
                return mistakes.file[...slash] + path
            }
        }
    }

    /// The path of a file that must be there when the files are checked.
    package static var file: Kind {
        Kind("file") { node, mistakes in
            guard let path = path.read(node, mistakes) else { return nil }
            if mistakes.checksFiles, unsafe access(path, R_OK) != 0 {
                mistakes.reportFile("cannot read \(path): \(systemMessage(for: errno))", at: node.position)
            }
            return path
        }
    }

    /// The path of a file that must also hold what it is for when the files are checked.
    static func file<Content>(holding read: @escaping @Sendable (String) throws(Complaint) -> Content) -> Kind {
        Kind("file") { node, mistakes in
            guard let path = file.read(node, mistakes) else { return nil }
            guard mistakes.checksFiles, unsafe access(path, R_OK) == 0, !isPipe(path) else { return path }
            do throws(Complaint) {
                _ = try read(path)
            } catch {
                mistakes.reportFile(error.sentence, at: node.position)
            }
            return path
        }
    }

    /// Whether what it holds can be read only once, and is then gone for whoever needs it.
    private static func isPipe(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
    }
}

extension Kind where Value == SecretFile {
    /// A file that must hold a secret of some kind when the files are checked.
    static func secret<Content>(_ read: @escaping @Sendable (String) throws(Complaint) -> Content) -> Kind {
        Kind<String>.file(holding: read).map { SecretFile($0) }
    }
}

extension Kind where Value: RawRepresentable<String> & CaseIterable {
    /// One of the words that the cases are called by.
    package static var word: Kind {
        let words = Value.allCases.map(\.rawValue)
        return scalar(words.joined(separator: " | ")) { text, _ throws(Complaint) in
            guard let value = Value(rawValue: text) else { throw Complaint(expected: words, found: text) }
            return value
        }
    }
}
