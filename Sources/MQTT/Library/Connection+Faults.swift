internal import CMosquitto

/// What is behind a failure of the connection.
extension Connection {
    /// What is wrong with the broker's certificate; nil where nothing is, or none has come.
    ///
    /// To be asked while the library reports the failure: then it still has the session.
    var certificateFault: String? {
        guard let session = mosquitto_ssl_get(handle) else { return nil }
        let result = SSL_get_verify_result(session)
        guard result != 0 else { return nil }
        let words = String(cString: X509_verify_cert_error_string(result))
        // Signed by itself, by an authority that signed itself, or by one that is not known (x509_vfy.h).
        let isOfStranger = (18...21).contains(result)
        return isOfStranger ? "\(words): ca_file must hold the authority that signed the certificate" : words
    }

    /// What is likely where a broker hangs up without an answer.
    var suspicion: String? {
        guard !isAnswered else { return nil }
        guard let tls = settings.tls else { return "it may want TLS: set url to mqtts://" }
        return tls.identity == nil
            ? "it may speak no TLS: set url to mqtt://; or want a client's certificate: set cert_file and key_file"
            : "it may not accept the client's certificate: check cert_file"
    }
}
