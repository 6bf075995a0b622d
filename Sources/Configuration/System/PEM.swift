/// Files as OpenSSL reads them: blocks between `-----BEGIN LABEL-----` and its end (RFC 7468).
enum PEM {
    private static let limit = 4 << 20

    /// - Throws: `Complaint` about a file without a certificate.
    static func checkCertificates(_ path: String) throws(Complaint) {
        guard try lines(of: path).contains(where: { isBeginning($0, of: "CERTIFICATE") }) else {
            throw "\(path): no certificate is in it: PEM was expected, -----BEGIN CERTIFICATE-----"
        }
    }

    /// - Throws: `Complaint` about a file without a private key, or with one that has a pass phrase.
    static func checkPrivateKey(_ path: String) throws(Complaint) {
        let lines = try lines(of: path)
        guard lines.contains(where: { isBeginning($0, of: "PRIVATE KEY") }) else {
            throw "\(path): no private key is in it: PEM was expected, -----BEGIN PRIVATE KEY-----"
        }
        // PKCS #8, and the older form of OpenSSL.
        if lines.contains(where: { isBeginning($0, of: "ENCRYPTED PRIVATE KEY") || $0 == "Proc-Type: 4,ENCRYPTED" }) {
            throw "\(path): the key has a pass phrase, which nobody can type: take it off with openssl pkey"
        }
    }

    private static func lines(of path: String) throws(Complaint) -> [String] {
        do throws(FileError) {
            let content = try readFile(path, limit: limit)
            return content.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
                .map { String(decoding: $0, as: UTF8.self) }
        } catch {
            throw Complaint("\(path): \(error.message)")
        }
    }

    private static func isBeginning(_ line: String, of label: String) -> Bool {
        line.hasPrefix("-----BEGIN ") && line.hasSuffix("\(label)-----")
    }
}
