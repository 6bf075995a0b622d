import Codec

/// The address of a broker: `mqtt://HOST[:PORT]`, `mqtts://HOST[:PORT]` or `unix:///PATH`.
package enum BrokerEndpoint: Sendable, Equatable {
    case tcp(host: String, port: Int)
    case tls(host: String, port: Int)
    /// A Unix socket.
    case socket(path: String)

    /// Whether the connection uses TLS.
    var isEncrypted: Bool {
        if case .tls = self { true } else { false }
    }

    /// The host that is reached across the network without TLS; nil for any other endpoint.
    ///
    /// A name without a dot may be that of a container on the same machine.
    var unprotectedHost: String? {
        guard case .tcp(let host, _) = self else { return nil }
        let isElsewhere = (host.contains(".") || host.contains(":")) && !host.hasPrefix("127.") && host != "::1"
        return isElsewhere ? host : nil
    }

    /// Parses a URL.
    ///
    /// - Throws: `InvalidValue` for the first mistake.
    package init(url: String) throws(InvalidValue) {
        guard let (name, rest) = url.cut(at: "://") else {
            let isHost = url.allSatisfy { $0.isLetter || $0.isNumber || ".-:[]".contains($0) }
            let isComplete = isHost && (try? Self.authority(url[...])) != nil
            let advice = isComplete ? ": write mqtt://\(url)" : ""
            throw InvalidValue(
                stringLiteral: "expected a URL such as mqtt://localhost:1883, found \(url.quotedForMessage)\(advice)")
        }
        let scheme = name.lowercased()
        switch scheme {
        case "mqtt":
            let (host, port) = try Self.authority(rest)
            self = .tcp(host: host, port: port ?? 1883)
        case "mqtts":
            let (host, port) = try Self.authority(rest)
            self = .tls(host: host, port: port ?? 8883)
        case "unix":
            guard rest.hasPrefix("/"), !rest.hasSuffix("/") else {
                throw "expected the absolute path of a socket, e.g. unix:///run/mosquitto/mosquitto.sock"
            }
            let (size, most) = (rest.utf8.count, Self.longestSocketPath)
            guard size <= most else { throw "the path of a socket is limited to \(most) bytes, this one has \(size)" }
            self = .socket(path: String(rest))
        case "tcp": throw "unknown scheme 'tcp': write mqtt://"
        case "ssl", "tls": throw "unknown scheme \(scheme.quotedForMessage): write mqtts://"
        case "ws", "wss": throw "MQTT over WebSockets is not supported: write mqtt:// or mqtts://"
        default: throw "unknown scheme \(scheme.quotedForMessage): expected mqtt, mqtts or unix"
        }
    }

    /// The maximum length of a socket's path in bytes, without the terminating NUL (unix(7)).
    static let longestSocketPath = 107

    private static func authority(_ text: Substring) throws(InvalidValue) -> (host: String, port: Int?) {
        var rest = text.hasSuffix("/") ? text.dropLast() : text
        guard !rest.contains("@") else {
            throw "the URL must not contain a user: set username and password_file"
        }
        guard !rest.contains(where: { "/?#".contains($0) }) else {
            throw "the URL must end after host and port: set prefix for the first levels of all topics"
        }
        let host: Substring
        if rest.hasPrefix("["), let end = rest.firstIndex(of: "]") {
            host = rest[..<end].dropFirst()
            rest = rest[rest.index(after: end)...]
        } else {
            host = rest.prefix { $0 != ":" }
            rest = rest.dropFirst(host.count)
            guard rest.dropFirst().firstIndex(of: ":") == nil else {
                throw "an IPv6 address needs brackets, e.g. mqtt://[::1]:1883"
            }
        }
        guard !host.isEmpty, !host.contains(where: \.isWhitespace) else {
            throw "the URL has no host: expected e.g. mqtt://localhost:1883"
        }
        if rest.isEmpty { return (String(host), nil) }
        guard rest.hasPrefix(":"), let port = UInt16(digits: rest.dropFirst()), port > 0 else {
            throw "expected a port from 1 to 65535, found \(String(rest.drop { $0 == ":" }).quotedForMessage)"
        }
        return (String(host), Int(port))
    }
}
