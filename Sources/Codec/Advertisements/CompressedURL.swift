/// The encoding of an Eddystone beacon's URL: one byte for the scheme, and one byte for each common domain ending.
///
/// Source: Eddystone-URL, scheme prefixes 0x00 to 0x03 and expansions 0x00 to 0x0D.
enum CompressedURL {
    private static let schemes = ["http://www.", "https://www.", "http://", "https://"]
    private static let endings = [".com", ".org", ".edu", ".net", ".info", ".biz", ".gov"]
    private static let expansions = endings.map { $0 + "/" } + endings

    /// Returns the URL as text; nil if the bytes are not an Eddystone URL.
    static func decode(_ bytes: [UInt8]) -> String? {
        guard let first = bytes.first, schemes.indices.contains(Int(first)) else { return nil }
        var url = schemes[Int(first)]
        for byte in bytes.dropFirst() {
            if expansions.indices.contains(Int(byte)) {
                url += expansions[Int(byte)]
            } else if 0x21...0x7E ~= byte {
                url.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                return nil
            }
        }
        return url
    }

    /// Returns the shortest encoding of a URL; nil if its scheme or one of its characters has no encoding.
    static func encode(_ url: String) -> [UInt8]? {
        guard let scheme = schemes.firstIndex(where: url.hasPrefix) else { return nil }
        var bytes = [UInt8(scheme)]
        var rest = url.dropFirst(schemes[scheme].count)
        while let character = rest.first {
            if let expansion = expansions.firstIndex(where: rest.hasPrefix) {
                bytes.append(UInt8(expansion))
                rest = rest.dropFirst(expansions[expansion].count)
            } else {
                guard let byte = character.asciiValue, 0x21...0x7E ~= byte else { return nil }
                bytes.append(byte)
                rest = rest.dropFirst()
            }
        }
        return bytes
    }
}
