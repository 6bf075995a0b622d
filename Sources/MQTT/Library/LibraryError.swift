internal import CMosquitto
internal import Glibc

/// libmosquitto could not do what it was asked for.
struct LibraryError: Error, CustomStringConvertible {
    let code: mosq_err_t
    let description: String
    /// Whether the other side has closed the connection.
    let isHangUp: Bool

    /// Whether it is the connection that is at fault, and not what was to be done with it.
    var endsConnection: Bool {
        switch code {
        case MOSQ_ERR_NO_CONN, MOSQ_ERR_CONN_LOST, MOSQ_ERR_ERRNO, MOSQ_ERR_TLS: true
        default: false
        }
    }

    /// What errno(3) means.
    static func words(forSystemError error: Int32) -> String {
        String(cString: strerror(error)).lowercasedFirst
    }

    /// To be made right after the call that failed, for the sake of `errno`.
    init(_ code: Int32) {
        let systemError = errno
        self.code = mosq_err_t(code)
        isHangUp =
            self.code == MOSQ_ERR_CONN_LOST
            || self.code == MOSQ_ERR_ERRNO && [ECONNRESET, EPIPE].contains(systemError)
        description =
            switch self.code {
            case MOSQ_ERR_ERRNO: Self.words(forSystemError: systemError)
            // libmosquitto leaves getaddrinfo's result in errno.
            case MOSQ_ERR_EAI: "the host's name is not known: \(String(cString: gai_strerror(systemError)))"
            case MOSQ_ERR_KEEPALIVE: "the broker has fallen silent"
            case MOSQ_ERR_TLS: "TLS failed"
            default: String(cString: mosquitto_strerror(code)).lowercasedFirst
            }
    }
}

/// - Throws: `LibraryError` unless libmosquitto reports success.
func check(_ code: Int32) throws(LibraryError) {
    if code != MOSQ_ERR_SUCCESS.rawValue { throw LibraryError(code) }
}

extension String {
    /// The text as it stands in the middle of a sentence, without the full stop of its own.
    fileprivate var lowercasedFirst: String {
        var text = self
        if text.hasSuffix(".") { text.removeLast() }
        return text.prefix(1).lowercased() + text.dropFirst()
    }
}
