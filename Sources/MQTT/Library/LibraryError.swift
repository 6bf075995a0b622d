import CMosquitto
import Glibc

/// An error that a function of libmosquitto returned.
struct LibraryError: Error, CustomStringConvertible {
    let code: mosq_err_t
    let description: String
    /// Whether the broker has closed the connection.
    let isHangUp: Bool

    /// Whether the connection has failed, not only the call.
    var endsConnection: Bool {
        switch code {
        case MOSQ_ERR_NO_CONN, MOSQ_ERR_CONN_LOST, MOSQ_ERR_ERRNO, MOSQ_ERR_TLS: true
        default: false
        }
    }

    /// Returns the text of an error number of errno(3).
    static func text(ofSystemError error: Int32) -> String {
        String(cString: strerror(error)).lowercasedFirst
    }

    /// Creates the error for a result code of libmosquitto.
    ///
    /// The initializer reads `errno`: create the error immediately after the function that failed.
    init(_ code: Int32) {
        let systemError = errno
        self.code = mosq_err_t(code)
        isHangUp =
            self.code == MOSQ_ERR_CONN_LOST
            || self.code == MOSQ_ERR_ERRNO && [ECONNRESET, EPIPE].contains(systemError)
        description =
            switch self.code {
            // libmosquitto returns this code for some invalid packets, without a failed system call.
            case MOSQ_ERR_ERRNO where systemError == 0: "the broker has sent an invalid packet: is it an MQTT broker?"
            case MOSQ_ERR_ERRNO: Self.text(ofSystemError: systemError)
            // libmosquitto leaves the result of getaddrinfo in errno.
            case MOSQ_ERR_EAI: "the host name cannot be resolved: \(String(cString: gai_strerror(systemError)))"
            case MOSQ_ERR_KEEPALIVE: "the broker does not respond to keep-alive requests"
            case MOSQ_ERR_TLS: "TLS failed"
            default: String(cString: mosquitto_strerror(code)).lowercasedFirst
            }
    }
}

/// Checks the result code of a function of libmosquitto.
///
/// - Throws: `LibraryError` unless the code means success.
func check(_ code: Int32) throws(LibraryError) {
    if code != MOSQ_ERR_SUCCESS.rawValue { throw LibraryError(code) }
}

extension String {
    /// The text for the middle of a sentence: the first letter in lower case, without a full stop at the end.
    fileprivate var lowercasedFirst: String {
        var text = self
        if text.hasSuffix(".") { text.removeLast() }
        return text.prefix(1).lowercased() + text.dropFirst()
    }
}
