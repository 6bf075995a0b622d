/// The changelog of a Debian package (deb-changelog(5)), which has the version of the programs.
package enum Changelog {
    /// Returns the version in the top entry: `bluefleet (0.2.0) unstable; urgency=medium`.
    package static func version(in text: [UInt8]) -> String {
        let entry = text.prefix { $0 != UInt8(ascii: "\n") }
        let parts = entry.split { $0 == UInt8(ascii: "(") || $0 == UInt8(ascii: ")") }
        precondition(parts.count > 1, "the changelog begins with an entry")
        return String(decoding: parts[1], as: UTF8.self)
    }
}
