/// The changelog of a Debian package (deb-changelog(5)), which has the version of the programs.
package enum Changelog {
    /// Returns the version in the top entry: `bluefleet (0.2.0) unstable; urgency=medium`.
    package static func version(in text: String) -> String {
        let parts = text.prefix { $0 != "\n" }.split { $0 == "(" || $0 == ")" }
        precondition(parts.count > 1, "the changelog begins with an entry")
        return String(parts[1])
    }
}
