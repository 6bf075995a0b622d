import System

/// Checks files in the PEM format (RFC 7468), which OpenSSL reads.
///
/// A file consists of blocks from `-----BEGIN LABEL-----` to `-----END LABEL-----`.
enum PEM {
    private static let limit = 4 << 20

    /// Checks a file with certificates.
    ///
    /// - Throws: `InvalidValue` if the file is not readable or contains no certificate.
    static func checkCertificates(_ path: String) throws(InvalidValue) {
        guard try lines(of: path).contains(where: { isBeginning($0, of: "CERTIFICATE") }) else {
            throw "\(path): no certificate found: expected PEM with -----BEGIN CERTIFICATE-----"
        }
    }

    /// Checks a file with a private key.
    ///
    /// - Throws: `InvalidValue` if the file is not readable, contains no private key, or if the key has a passphrase.
    static func checkPrivateKey(_ path: String) throws(InvalidValue) {
        let lines = try lines(of: path)
        guard lines.contains(where: { isBeginning($0, of: "PRIVATE KEY") }) else {
            throw "\(path): no private key found: expected PEM with -----BEGIN PRIVATE KEY-----"
        }
        // PKCS #8 and older OpenSSL versions mark an encrypted key differently.
        if lines.contains(where: { isBeginning($0, of: "ENCRYPTED PRIVATE KEY") || $0 == "Proc-Type: 4,ENCRYPTED" }) {
            throw "\(path): the private key has a passphrase: remove it with openssl pkey"
        }
    }

    private static func lines(of path: String) throws(InvalidValue) -> [String] {
        do throws(SystemError) {
            let content = try TextFile.bytes(of: path, limit: limit)
            return content.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
                .map { String(decoding: $0, as: UTF8.self) }
        } catch {
            throw InvalidValue(stringLiteral: error.description)
        }
    }

    private static func isBeginning(_ line: String, of label: String) -> Bool {
        line.hasPrefix("-----BEGIN ") && line.hasSuffix("\(label)-----")
    }
}
