import System

/// Checks of the files that OpenSSL reads: blocks from `-----BEGIN LABEL-----` to `-----END LABEL-----` (RFC 7468).
enum PEM {
    private static let limit = 4 << 20

    /// - Throws: `InvalidValue` if the file contains no certificate.
    static func checkCertificates(_ path: String) throws(InvalidValue) {
        guard try lines(of: path).contains(where: { isBeginning($0, of: "CERTIFICATE") }) else {
            throw "\(path): no certificate found: expected PEM with -----BEGIN CERTIFICATE-----"
        }
    }

    /// - Throws: `InvalidValue` if the file contains no private key, or one with a passphrase.
    static func checkPrivateKey(_ path: String) throws(InvalidValue) {
        let lines = try lines(of: path)
        guard lines.contains(where: { isBeginning($0, of: "PRIVATE KEY") }) else {
            throw "\(path): no private key found: expected PEM with -----BEGIN PRIVATE KEY-----"
        }
        // The forms of PKCS #8 and of older OpenSSL versions.
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
