import CMosquitto
import Glibc

/// The cause of a failure to connect.
extension Connection {
    /// Returns the system's reason why the socket was never connected; nil if the socket is or was connected.
    func connectFailure() -> String? {
        guard let descriptor else { return nil }
        var address = sockaddr()
        var length = socklen_t(MemoryLayout<sockaddr>.size)
        guard getpeername(descriptor, &address, &length) != 0, !Self.wasConnected(descriptor) else { return nil }
        var error: Int32 = 0
        length = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &length)
        // On the same host a refusal arrives so early that libmosquitto's handshake has already cleared SO_ERROR.
        return LibraryError.text(ofSystemError: error == 0 ? ECONNREFUSED : error)
    }

    /// Returns whether the TCP connection was established, even if it has ended since.
    ///
    /// The kernel measures a round trip only on established connections.
    private static func wasConnected(_ descriptor: Int32) -> Bool {
        var info = tcp_info()
        var length = socklen_t(MemoryLayout<tcp_info>.size)
        return getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_INFO, &info, &length) == 0 && info.tcpi_rtt > 0
    }

    /// The error of the broker's certificate; nil if the certificate is valid, or if there is no certificate.
    ///
    /// Available only while libmosquitto reports the failure: libmosquitto frees the TLS session afterwards.
    var certificateError: String? {
        guard let session = mosquitto_ssl_get(handle) else { return nil }
        let result = SSL_get_verify_result(session)
        guard result != 0 else { return nil }
        let text = String(cString: X509_verify_cert_error_string(result))
        // Self-signed, signed by a self-signed authority, or signed by an unknown authority (x509_vfy.h).
        let isUntrusted = (18...21).contains(result)
        return isUntrusted ? "\(text): ca_file must contain the authority that signed the certificate" : text
    }

    /// The likely cause if the broker closes the connection without a CONNACK; nil if the broker has answered CONNECT.
    var likelyCause: String? {
        guard !isAnswered else { return nil }
        guard let tls = settings.tls else { return "it might require TLS: set url to mqtts://" }
        return tls.identity == nil
            ? "it might not support TLS: set url to mqtt://; or it might require a client certificate: "
                + "set cert_file and key_file"
            : "it might not accept the client certificate: check cert_file"
    }
}
