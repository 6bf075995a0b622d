import EventLoop
package import System

/// A certificate authority, and a key with a certificate for a host.
package struct Certificates: Sendable {
    package let authority: String
    package let certificate: String
    package let key: String

    /// Creates the files with `openssl`.
    ///
    /// - Parameters:
    ///   - host: The host name in the certificate.
    ///   - folder: The folder of the files.
    /// - Throws: `CommandError` if `openssl` is not installed or fails.
    package init(for host: String, in folder: TemporaryFolder) throws {
        authority = folder.path("\(host).authority.pem")
        certificate = folder.path("\(host).pem")
        key = folder.path("\(host).key")
        let authorityKey = folder.path("\(host).authority.key")
        try Self.request(
            "/CN=authority of \(host)", [], certificate: authority, key: authorityKey)
        try Self.request(
            "/CN=\(host)",
            [
                "-CA", authority, "-CAkey", authorityKey, "-addext", "subjectAltName=DNS:\(host)",
                "-addext", "basicConstraints=critical,CA:FALSE",
            ],
            certificate: certificate, key: key)
    }

    private static func request(
        _ subject: String, _ arguments: [String], certificate: String, key: String
    ) throws {
        let openssl = try Command(
            "openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                "-subj", subject, "-keyout", key, "-out", certificate,
            ] + arguments)
        let output = openssl.waitForOutput()
        guard openssl.wait() == .code(0) else { throw CommandError("openssl failed: \(output)") }
    }
}
