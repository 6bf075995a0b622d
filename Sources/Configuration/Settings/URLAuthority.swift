import Codec
import System

/// The host and the port of a URL.
struct URLAuthority {
    let host: String
    /// The port; nil: the URL has none.
    let port: Int?

    /// Parses the part of a URL after its scheme.
    ///
    /// - Parameters:
    ///   - text: The part of the URL.
    ///   - example: A valid URL, for messages.
    ///   - userAdvice: What to do in place of a user in the URL, for messages.
    ///   - pathAdvice: What to do in place of a path in the URL, for messages; nil: nothing.
    /// - Throws: `InvalidValue` for the first mistake.
    init(
        _ text: Substring, example: String, userAdvice: String, pathAdvice: String? = nil
    ) throws(InvalidValue) {
        var rest = text.hasSuffix("/") ? text.dropLast() : text
        guard !rest.contains("@") else {
            throw InvalidValue(stringLiteral: "the URL must not contain a user: \(userAdvice)")
        }
        guard !rest.contains(where: { "/?#".contains($0) }) else {
            let advice = pathAdvice.map { ": \($0)" } ?? ""
            throw InvalidValue(stringLiteral: "the URL must end after host and port\(advice)")
        }
        let host: Substring
        if rest.hasPrefix("["), let end = rest.firstIndex(of: "]") {
            host = rest[..<end].dropFirst()
            rest = rest[rest.index(after: end)...]
        } else {
            host = rest.prefix { $0 != ":" }
            rest = rest.dropFirst(host.count)
            guard rest.dropFirst().firstIndex(of: ":") == nil else {
                let (scheme, port) = (example.prefix { $0 != ":" }, example.split(separator: ":").last ?? "")
                throw InvalidValue(
                    stringLiteral: "an IPv6 address needs brackets, e.g. \(scheme)://[::1]:\(port)")
            }
        }
        guard !host.isEmpty, !host.contains(where: \.isWhitespace) else {
            throw InvalidValue(stringLiteral: "the URL has no host: expected e.g. \(example)")
        }
        self.host = String(host)
        guard IPAddress(self.host)?.isLinkLocal != true else {
            throw InvalidValue(
                stringLiteral: "\(host) is an address of one network: add the interface, e.g. [\(host)%eth0]")
        }
        if rest.isEmpty {
            self.port = nil
            return
        }
        guard rest.hasPrefix(":"), let number = UInt16(digits: rest.dropFirst()), number > 0 else {
            throw "expected a port from 1 to 65535, found \(String(rest.drop { $0 == ":" }).quotedForMessage)"
        }
        self.port = Int(number)
    }
}
