/// The TLS settings of a connection, for version 1.2 or later; the certificate must match the broker's host.
///
/// Each setting is the path of a PEM file, except `systemAuthorities`. The files are read with each connection.
package struct TLS: Hashable, Sendable {
    /// The authorities that may sign the broker's certificate; nil: the authorities that the system trusts.
    package var authorities: String?
    /// The folder of the authorities that the system trusts: with files named by hash, one file for all, or both.
    package var systemAuthorities = "/etc/ssl/certs"
    /// The client certificate; nil: none.
    package var identity: Identity?

    /// A certificate and its private key.
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
