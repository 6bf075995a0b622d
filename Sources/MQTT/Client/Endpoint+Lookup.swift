import Glibc

extension Endpoint {
    /// Whether connecting may require an answer of a name server, which can take 30 s.
    var needsLookup: Bool {
        switch self {
        case .tcp(let host, _): host != "localhost" && !isNumeric
        case .unix: false
        }
    }

    /// Whether the host is a numeric IP address.
    var isNumeric: Bool {
        guard case .tcp(let host, _) = self else { return false }
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST
        var result: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &result) == 0 else { return false }
        freeaddrinfo(result)
        return true
    }
}
