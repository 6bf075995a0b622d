import HTTP

/// The rule for requests that change something: only the page itself, or a program with a token, may send them.
///
/// A foreign page can send requests from a browser, but cannot choose the headers `Origin` and `Sec-Fetch-Site` (Fetch, 2.2.2).
enum OriginRule {
    /// Returns the response that rejects a request; nil if the request is accepted.
    static func refusal(of request: HTTPRequest) -> HTTPResponse? {
        let type = request.header("content-type")?.prefix { $0 != ";" && $0 != " " }.lowercased()
        guard type == "application/json" else {
            return HTTPResponse(
                415, code: "unsupported_media_type", "the request needs the header Content-Type: application/json")
        }
        guard accepts(request) else {
            return HTTPResponse(
                403, code: "wrong_origin",
                "the request does not come from this page: a program sends its password as a bearer token")
        }
        return nil
    }

    private static func accepts(_ request: HTTPRequest) -> Bool {
        let site = request.header("sec-fetch-site")
        if site == "same-origin" { return true }
        if let origin = request.header("origin") { return isOwn(origin, request.header("host")) }
        return site == nil && request.header("authorization")?.lowercased().hasPrefix("bearer ") == true
    }

    private static func isOwn(_ origin: String, _ host: String?) -> Bool {
        let parts = origin.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == "http:" || parts[0] == "https:", parts[1].isEmpty,
            let sender = Authority(parts[2]), let own = host.flatMap({ Authority($0) })
        else { return false }
        let scheme = parts[0].dropLast()
        return sender.withoutUsualPort(of: scheme) == own.withoutUsualPort(of: scheme)
    }
}
