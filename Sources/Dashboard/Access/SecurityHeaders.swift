package import HTTP

/// The header fields of every response, which keep other pages from using this one.
package enum SecurityHeaders {
    /// Pages of the same origin may show this page in a frame, as Home Assistant does.
    private static let policy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:", "connect-src 'self'",
        "manifest-src 'self'", "base-uri 'none'", "form-action 'self'", "frame-ancestors 'self'",
    ].joined(separator: "; ")

    package static let fields = [
        HTTPField("Content-Security-Policy", policy), HTTPField("X-Content-Type-Options", "nosniff"),
        HTTPField("Referrer-Policy", "no-referrer"), HTTPField("Cross-Origin-Opener-Policy", "same-origin"),
        HTTPField("Cross-Origin-Resource-Policy", "same-origin"),
    ]
}
