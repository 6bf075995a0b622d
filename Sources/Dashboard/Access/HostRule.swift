import System

/// The rule for the names under which the page can be called.
///
/// A foreign page can give its own name the address of this machine (DNS rebinding), and then send requests here from a
/// browser. Such a request has the foreign name in its header `Host`. Addresses cannot be misused in this way.
package struct HostRule: Sendable {
    private let names: Set<String>

    /// - Parameters:
    ///   - machine: The name of this machine.
    ///   - names: Further names, in lower case.
    package init(machine: String, names: [String]) {
        let machine = machine.lowercased()
        let short = String(machine.prefix { $0 != "." })
        self.names = Set(names + ["localhost", machine, short, "\(short).local"])
    }

    /// Returns whether a request may have this header `Host`; nil: the header is missing.
    package func accepts(_ host: String?) -> Bool {
        guard let authority = host.flatMap({ Authority($0) }) else { return false }
        return authority.isAddress || names.contains(authority.host)
    }
}

/// The host and the port of a header `Host` or of an origin.
struct Authority: Equatable {
    /// The name in lower case, or the address without brackets.
    let host: String
    let isAddress: Bool
    /// nil if the port is left out.
    let port: UInt16?

    /// - Returns: nil if the text is not a host with an optional port.
    init?(_ text: some StringProtocol) {
        let text = text.lowercased()
        var host = text[...]
        var port: UInt16?
        if let colon = text.lastIndex(of: ":"), !text[colon...].contains("]") {
            guard let number = UInt16(text[colon...].dropFirst()) else { return nil }
            port = number
            host = text[..<colon]
        }
        self.port = port
        if host.hasPrefix("["), host.hasSuffix("]") {
            let text = String(host.dropFirst().dropLast())
            guard text.contains(":"), let address = IPAddress(text) else { return nil }
            self.host = address.description
            isAddress = true
            return
        }
        guard !host.isEmpty, !host.contains(":") else { return nil }
        let name = host.hasSuffix(".") ? host.dropLast() : host
        self.host = String(name)
        isAddress = IPAddress(String(name)) != nil
    }

    /// Returns the authority without the usual port of a scheme.
    func withoutUsualPort(of scheme: Substring) -> Authority {
        guard port == (scheme == "https" ? 443 : 80) else { return self }
        return Authority(self, port: nil)
    }

    private init(_ other: Authority, port: UInt16?) {
        host = other.host
        isAddress = other.isAddress
        self.port = port
    }
}
