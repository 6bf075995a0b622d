/// How a connection is secured: TLS 1.2 or later, and the certificate must be the host's.
///
/// All are paths, of PEM files but for the system's folder; what is there is read again at each connection.
package struct TLS: Hashable, Sendable {
    /// The authorities that may sign the broker's certificate; nil: the system's.
    package var authorities: String?
    /// The folder in which the system keeps those that it trusts: by hashes of their names, in one file, or both.
    package var systemAuthorities = "/etc/ssl/certs"
    /// What the client shows of itself, if anything.
    package var identity: Identity?

    /// A certificate and the key that belongs to it.
    package struct Identity: Hashable, Sendable {
        package let certificate: String
        package let key: String

        package init(certificate: String, key: String) {
            self.certificate = certificate
            self.key = key
        }
    }

    package init(authorities: String? = nil, identity: Identity? = nil) {
        self.authorities = authorities
        self.identity = identity
    }
}
