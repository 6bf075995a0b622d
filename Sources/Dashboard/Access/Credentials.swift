import Contract

/// The password in the header `Authorization`.
enum Credentials {
    /// Returns the password of `Bearer PASSWORD`, or of `Basic` with any user; nil for any other header.
    static func password(in header: String?) -> String? {
        guard let header, let space = header.firstIndex(of: " ") else { return nil }
        let rest = header[space...].dropFirst()
        switch header[..<space].lowercased() {
        case "bearer": return String(rest)
        case "basic":
            guard let bytes = Base64.decode(String(rest)), let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else {
                return nil
            }
            return String(validating: bytes[(colon + 1)...], as: UTF8.self)
        default: return nil
        }
    }

    /// Compares in a time that does not depend on the contents.
    static func areEqual(_ given: [UInt8], _ password: [UInt8]) -> Bool {
        var difference = given.count ^ password.count
        for (index, byte) in given.enumerated() {
            difference |= Int(byte ^ (index < password.count ? password[index] : 0))
        }
        return difference == 0
    }
}
