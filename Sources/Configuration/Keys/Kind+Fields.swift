package import Bluetooth
package import Codec
import Glibc
import System

extension Kind where Value == UUID {
    /// A UUID, or the name that the Bluetooth SIG assigned to the UUID.
    package static func uuid(_ names: NumberedNames, example: String) -> Kind {
        scalar("UUID") { text, _ throws(InvalidValue) in
            // The YAML type of the text is ignored, because 1800 and 2E19 look like numbers.
            if let uuid = UUID(text) ?? names[text] { return uuid }
            if let (place, keys) = UUID.place(meantBy: text) {
                throw "expected a UUID, found \(text.quotedForMessage): write \(keys) for \(place)"
            }
            let meant = UUID(meant: text)?.description ?? text.nearest(in: names.all)
            let advice = meant.map { ": did you mean \($0.quotedForMessage)?" } ?? ""
            throw
                "expected a UUID of 4, 8 or 32 hexadecimal digits such as \(example), found \(text.quotedForMessage)\(advice)"
        }
    }

    package static var service: Kind { uuid(AssignedNumbers.services, example: "181A") }
    package static var characteristic: Kind { uuid(AssignedNumbers.characteristics, example: "2A6E") }
}

extension UUID {
    /// Creates the UUID that a text probably means: in braces, or with fewer digits; nil for any other text.
    fileprivate init?(meant text: String) {
        guard text.isShort else { return nil }
        let digits = text.filter { !"{}".contains($0) }.drop { $0 == "0" || $0 == "x" || $0 == "X" }
        if text.hasPrefix("urn:uuid:"), let uuid = UUID(String(text.dropFirst("urn:uuid:".count))) {
            self = uuid
        } else if text.hasPrefix("{"), let uuid = UUID(text.filter { !"{}".contains($0) }) {
            self = uuid
        } else if text.hasPrefix("0x"), 1...3 ~= digits.count, let number = UInt16(digits, radix: 16) {
            self.init(number)
        } else {
            return nil
        }
    }
}

extension UUID {
    /// Returns the keys for a place such as `181A/2A6E` or `2A6E#2`, as commands write it; nil for any other text.
    fileprivate static func place(meantBy text: String) -> (place: String, keys: String)? {
        guard text.isShort else { return nil }
        if let (service, characteristic) = text.cut(at: "/"), UUID(String(service)) != nil,
            UUID(String(characteristic)) != nil
        {
            return ("the characteristic of a service", "service: \(service), uuid: \(characteristic)")
        }
        guard let (uuid, number) = text.cut(at: "#"), UUID(String(uuid)) != nil, Int(number) != nil else { return nil }
        return ("one of several characteristics", "uuid: \(uuid), instance: \(number)")
    }
}

extension Kind where Value == Address {
    package static var address: Kind {
        scalar("address") { text, _ throws(InvalidValue) in
            if let address = Address(text) { return address }
            let meant = Address(separatedOtherwise: text) ?? Address(within: text)
            var advice = meant.map { ": did you mean \($0)?" } ?? ""
            // Core Bluetooth of Apple hides the addresses.
            if UUID(text) != nil {
                advice = ": this UUID belongs to another computer; bluefleet scan shows the address"
            }
            throw "expected an address such as C0:00:00:00:00:01, found \(text.quotedForMessage)\(advice)"
        }
    }
}

extension Address {
    /// Creates the address of a text with other separators or none, such as `C0-00-00-00-00-01`; nil for other texts.
    package init?(separatedOtherwise text: String) {
        let digits = Array(text.filter { !"-_. :".contains($0) })
        guard digits.count == 12 else { return nil }
        let pairs = stride(from: 0, to: 12, by: 2).map { String(digits[$0..<$0 + 2]) }
        self.init(pairs.joined(separator: ":"))
    }
}

extension Address {
    /// Creates the address that is a part of a text, such as `dev_C0_00_00_00_00_01` or `C0:00:00:00:00:01 random`, or whose
    /// bytes have no leading zeros; nil for other texts.
    fileprivate init?(within text: String) {
        guard text.isShort, text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        let bytes = text.split(separator: ":", omittingEmptySubsequences: false)
        if bytes.count == 6, bytes.allSatisfy({ 1...2 ~= $0.count }) {
            self.init(bytes.map { $0.count == 1 ? "0\($0)" : "\($0)" }.joined(separator: ":"))
            return
        }
        let found = text.indices.lazy.map { text[$0...].prefix(17) }.filter { $0.count == 17 }
            .compactMap { Address(separatedOtherwise: String($0)) }.first
        guard let found else { return nil }
        self = found
    }
}

extension Kind where Value == Decimal {
    /// An exact decimal number that is at least `least`.
    package static func number(atLeast least: Decimal? = nil) -> Kind {
        scalar("number") { text, isPlain throws(InvalidValue) in
            guard isPlain else {
                // The text without its quotation marks may have another mistake.
                _ = try Decimal(yaml: text)
                throw "expected a number, found \(text.quotedForMessage) in quotes: remove the quotes"
            }
            let number = try Decimal(yaml: text)
            guard (-60...60).contains(number.normalized.exponent) else {
                throw "expected an exponent from -60 to 60, found \(text.quotedForMessage)"
            }
            if let least, number < least { throw "expected a number of at least \(least), found \(text)" }
            return number
        }
    }
}

extension Kind where Value == String {
    /// A name that becomes one or more levels of a topic.
    package static var topic: Kind {
        text.map("topic") { text throws(InvalidValue) in
            if let problem = TopicName.problem(in: text) { throw InvalidValue(stringLiteral: problem) }
            return text
        }
    }

    /// The path of a file or folder.
    ///
    /// A relative path is relative to the folder of the file that contains it.
    package static var path: Kind {
        let text = Kind<String>.text.map { text throws(InvalidValue) in
            guard !text.hasPrefix("~") else { throw "'~' is not supported: write the full path" }
            return text
        }
        return Kind("path") { node, mistakes in
            text.read(node, mistakes).map { path in
                let file = mistakes.file(of: node.position)
                guard !path.hasPrefix("/"), let slash = file.lastIndex(of: "/") else { return path }
                return file[...slash] + path
            }
        }
    }

    /// The path of a file, which must be readable if files are checked.
    package static var file: Kind {
        Kind("file") { node, mistakes in
            guard let path = path.read(node, mistakes) else { return nil }
            if mistakes.checksFiles, unsafe access(path, R_OK) != 0 {
                let error = SystemError("cannot read \(path)", errno)
                mistakes.reportFile(error.description, at: node.position, unreadable: path)
            }
            return path
        }
    }

    /// The path of a file, whose contents must be valid if files are checked.
    static func file<Content>(holding read: @escaping @Sendable (String) throws(InvalidValue) -> Content) -> Kind {
        Kind("file") { node, mistakes in
            guard let path = file.read(node, mistakes) else { return nil }
            guard mistakes.checksFiles, unsafe access(path, R_OK) == 0 else { return path }
            do throws(InvalidValue) {
                _ = try read(path)
            } catch {
                mistakes.reportFile(error.message, at: node.position)
            }
            return path
        }
    }

    /// The path of a file with a secret, whose contents must be valid if files are checked.
    ///
    /// A file that every user can read causes a warning. A client of the broker can name only files in the folder `keys`
    /// of the configuration, and does not learn which files exist.
    static func secret<Content>(holding read: @escaping @Sendable (String) throws(InvalidValue) -> Content) -> Kind {
        let (named, kind) = (path, file(holding: read))
        return Kind("file") { node, mistakes in
            // The message must not repeat a secret.
            if case .scalar(let text, _) = node.content, isSecret(text) {
                mistakes.report(
                    "expected the path of a file, found the secret itself: write it into a file, and the path here",
                    at: node.position)
                return nil
            }
            if mistakes.checksFiles, mistakes.isFromClient(node.position) {
                return named.read(node, mistakes).flatMap { path in
                    if isUsable(path, in: mistakes.keyFolder, read) { return path }
                    mistakes.report(
                        "cannot use \(path): a request can only name a readable file with a valid secret in "
                            + mistakes.keyFolder, at: node.position)
                    return nil
                }
            }
            let path = kind.read(node, mistakes)
            if let path, mistakes.checksFiles, isReadableByOthers(path) {
                mistakes.warn("every user can read \(path): sudo chmod o-r \(path)", at: node.position)
            }
            return path
        }
    }

    /// Whether a text is a key or a passkey, and not the path of a file.
    private static func isSecret(_ text: String) -> Bool {
        text.count == 6 && text.allSatisfy { $0.isNumber }
            || [24, 32].contains(text.count) && text.allSatisfy { $0.isHexDigit }
    }

    static func isReadableByOthers(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IROTH != 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// Returns whether a client of the broker may name a file: its secret is valid, and it is in the folder.
    private static func isUsable<Content>(
        _ path: String, in folder: String, _ read: (String) throws(InvalidValue) -> Content
    ) -> Bool {
        let name = path.dropFirst(folder.count)
        return path.hasPrefix(folder) && !name.contains("/") && name != ".." && (try? read(path)) != nil
    }
}

extension Kind where Value == SecretFile {
    /// The path of a file with a secret, which must be valid if files are checked.
    static func secret<Content>(_ read: @escaping @Sendable (String) throws(InvalidValue) -> Content) -> Kind {
        Kind<String>.secret(holding: read).map { SecretFile($0) }
    }
}

extension Kind where Value: RawRepresentable<String> & CaseIterable {
    /// One of the raw values of an enumeration.
    package static var word: Kind {
        let words = Value.allCases.map(\.rawValue)
        return scalar(words.joined(separator: " | ")) { text, _ throws(InvalidValue) in
            if let value = Value(rawValue: text) { return value }
            if let meant = wordsElsewhere[text.lowercased()]?.first(where: { Value(rawValue: $0) != nil }) {
                let list = words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
                throw "expected \(list), found \(text.quotedForMessage): write \(meant)"
            }
            throw InvalidValue(expected: words, found: text)
        }
    }
}

/// The words of this configuration, by words of other programs in lower case.
///
/// A word can have a meaning for several keys: the first one that the key has is the advice.
private let wordsElsewhere = [
    // log, discovery, keep, metrics, access
    "verbose": ["debug"], "trace": ["debug"], "all": ["debug", "full"], "notice": ["info"], "information": ["info"],
    "normal": ["info"], "err": ["error"], "fatal": ["error"], "critical": ["error"], "quiet": ["error"],
    "true": ["device", "all", "auto"], "on": ["device", "all", "auto"], "yes": ["device", "all", "auto"],
    "mqtt": ["device"], "false": ["none", "error"], "off": ["none", "error"], "no": ["none"],
    "never": ["none"], "none": ["error"], "last": ["newest"], "latest": ["newest", "last"],
    "everything": ["all"], "entity": ["component"], "entities": ["component"], "legacy": ["component"],
    "single": ["component"], "openhab": ["component"], "homeassistant": ["device"], "prometheus": ["all"],
    "readonly": ["read"], "read-only": ["read"], "read_only": ["read"], "view": ["read"], "viewer": ["read"],
    "write": ["full"], "admin": ["full"], "readwrite": ["full"], "rw": ["full"], "ro": ["read"],
    // payload, notify, by, medium, state_class
    "raw": ["value"], "plain": ["value"], "text": ["value"], "bare": ["value"], "number": ["value"],
    "dbus": ["signals"], "fd": ["descriptor"], "acquire": ["descriptor"], "socket": ["descriptor"],
    "default": ["auto"], "avg": ["mean"], "average": ["mean"], "maximum": ["max"], "minimum": ["min"],
    "newest": ["last"], "lpg": ["propane"], "gas": ["propane"], "petrol": ["gasoline"], "benzine": ["gasoline"],
    "fuel": ["gasoline"], "natural_gas": ["lng"], "counter": ["total_increasing"],
    "increasing": ["total_increasing"], "cumulative": ["total_increasing"], "meter": ["total_increasing"],
    "gauge": ["measurement"], "instant": ["measurement"], "angle": ["measurement_angle"],
]
