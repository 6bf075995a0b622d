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
            let authority = try Self.authority(rest)
            self = .tcp(host: authority.host, port: authority.port ?? 1883)
        case "mqtts":
            let authority = try Self.authority(rest)
            self = .tls(host: authority.host, port: authority.port ?? 8883)
        case "unix":
            guard rest.hasPrefix("/"), !rest.hasSuffix("/") else {
                throw "expected the absolute path of a socket, e.g. unix:///run/mosquitto/mosquitto.sock"
            }
            let (size, most) = (rest.utf8.count, Self.longestSocketPath)
            guard size <= most else { throw "the path of a socket is limited to \(most) bytes, this one has \(size)" }
            self = .socket(path: String(rest))
        case "tcp", "http": throw "unknown scheme \(scheme.quotedForMessage): write mqtt://"
        case "ssl", "tls", "https": throw "unknown scheme \(scheme.quotedForMessage): write mqtts://"
        case "ws", "wss": throw "MQTT over WebSockets is not supported: write mqtt:// or mqtts://"
        default: throw "unknown scheme \(scheme.quotedForMessage): expected mqtt, mqtts or unix"
        }
    }

    /// The maximum length of a socket's path in bytes, without the terminating NUL (unix(7)).
    static let longestSocketPath = 107

    private static func authority(_ text: Substring) throws(InvalidValue) -> URLAuthority {
        try URLAuthority(
            text, example: "mqtt://localhost:1883", userAdvice: "set username and password_file",
            pathAdvice: "set prefix for the first levels of all topics")
    }
}
