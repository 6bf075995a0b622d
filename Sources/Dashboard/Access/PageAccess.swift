package import Configuration
package import HTTP
package import System

/// Decides which requests the page answers, and for whom.
package struct PageAccess {
    /// The sender of an accepted request.
    package struct Visitor: Hashable, Sendable {
        /// The session, or the address of a client without one.
        package let name: String
        /// The token of the session; nil without one.
        package let session: String?
    }

    /// The result of a log-in.
    package enum Login {
        case accepted(HTTPResponse)
        /// `isWrong`: the password is wrong; false: too many wrong ones were sent.
        case rejected(HTTPResponse, isWrong: Bool)
    }

    package enum Decision {
        case accepted(Visitor)
        case rejected(HTTPResponse)
        /// The password of the request is wrong.
        case wrongPassword(HTTPResponse)
    }

    private static let cookie = "bluefleet"

    private let hosts: HostRule
    private let proxies: [IPNetwork]
    private let password: [UInt8]?
    private var sessions = Sessions()
    private var limit = LoginLimit()

    /// - Parameters:
    ///   - settings: The settings of the dashboard.
    ///   - password: The password of the page; nil: none.
    ///   - machine: The name of this machine.
    package init(_ settings: Configuration.Dashboard, password: [UInt8]?, machine: String) {
        hosts = HostRule(machine: machine, names: settings.names)
        proxies = settings.trustedProxies
        self.password = password
    }

    /// Checks the parts of a request that need no password: the host, the method and the origin.
    ///
    /// A trusted proxy is called by names that are not known here: Home Assistant passes the name of its own page on. No
    /// foreign page can use it, because the proxy asks for a password.
    ///
    /// - Returns: The response that rejects the request; nil if the request is accepted.
    package func refusal(of request: HTTPRequest) -> HTTPResponse? {
        guard isTrusted(request.client) || hosts.accepts(request.header("host")) else {
            return HTTPResponse(
                421, code: "wrong_host",
                "this page is not called by this name: use its address, or add the name to names in the section dashboard"
            )
        }
        switch request.method {
        case "GET", "HEAD": return nil
        case "POST": return OriginRule.refusal(of: request)
        default:
            return HTTPResponse(405, code: "wrong_method", "expected GET or POST")
                .adding([HTTPField("Allow", "GET, HEAD, POST")])
        }
    }

    /// Checks who sends a request.
    package mutating func decide(_ request: HTTPRequest, at now: Instant) -> Decision {
        let address = request.client?.description ?? "socket"
        guard let password, !isTrusted(request.client) else { return .accepted(Visitor(name: address, session: nil)) }
        if let token = Self.token(of: request), sessions.use(token, at: now) {
            return .accepted(Visitor(name: token, session: token))
        }
        guard let given = Credentials.password(in: request.header("authorization")) else {
            return .rejected(Self.unauthorized("the page asks for a password: log in, or send it as a bearer token"))
        }
        switch check(given, password, request.client, now) {
        case .tooMany(let response): return .rejected(response)
        case .wrong: return .wrongPassword(Self.unauthorized("wrong password"))
        case .right: return .accepted(Visitor(name: address, session: nil))
        }
    }

    /// Whether a browser must log in.
    package func requiresPassword(_ request: HTTPRequest) -> Bool {
        password != nil && !isTrusted(request.client)
    }

    // MARK: Sessions

    /// Starts a session for the right password.
    package mutating func logIn(_ given: String, _ request: HTTPRequest, at now: Instant) -> Login {
        guard let password else { return .accepted(Self.done) }
        switch check(given, password, request.client, now) {
        case .tooMany(let response): return .rejected(response, isWrong: false)
        case .wrong: return .rejected(Self.unauthorized("wrong password"), isWrong: true)
        case .right:
            let isEncrypted = isTrusted(request.client) && request.header("x-forwarded-proto") == "https"
            let age = Sessions.longestIdleTime.components.seconds
            let cookie =
                "\(Self.cookie)=\(sessions.start(at: now)); HttpOnly; SameSite=Strict; Path=/; Max-Age=\(age)"
                + (isEncrypted ? "; Secure" : "")
            return .accepted(Self.done.adding([HTTPField("Set-Cookie", cookie)]))
        }
    }

    /// Ends the session of a request.
    package mutating func logOut(_ request: HTTPRequest) -> HTTPResponse {
        if let token = Self.token(of: request) { sessions.end(token) }
        let cookie = "\(Self.cookie)=; HttpOnly; SameSite=Strict; Path=/; Max-Age=0"
        return Self.done.adding([HTTPField("Set-Cookie", cookie)])
    }

    // MARK: Parts

    private enum Check {
        case right, wrong
        case tooMany(HTTPResponse)
    }

    private mutating func check(_ given: String, _ password: [UInt8], _ client: IPAddress?, _ now: Instant) -> Check {
        if let wait = limit.wait(of: client, at: now) {
            let seconds = max(1, wait.components.seconds + 1)
            return .tooMany(
                HTTPResponse(429, code: "too_many_requests", "too many wrong passwords: wait \(seconds) s")
                    .adding([HTTPField("Retry-After", "\(seconds)")]))
        }
        if Credentials.areEqual(Array(given.utf8), password) { return .right }
        limit.failed(client, at: now)
        return .wrong
    }

    private func isTrusted(_ client: IPAddress?) -> Bool {
        guard let client else { return false }
        return proxies.contains { $0.contains(client) }
    }

    private static func token(of request: HTTPRequest) -> String? {
        for pair in (request.header("cookie") ?? "").split(separator: ";") {
            let parts = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
            if parts.count == 2, parts[0] == cookie { return String(parts[1]) }
        }
        return nil
    }

    private static let done = HTTPResponse(200, json: Array(#"{"status":"ok"}"#.utf8))

    /// The header names a scheme for which browsers show no dialog of their own.
    private static func unauthorized(_ message: String) -> HTTPResponse {
        HTTPResponse(401, code: "not_authorized", message)
            .adding([HTTPField("WWW-Authenticate", #"Bearer realm="bluefleet""#)])
    }
}
