internal import Glibc

/// Where OpenSSL finds the authorities.
extension TLS {
    /// A folder in which each has a file of its own; read when one of them is looked for.
    var authoritiesFolder: String? {
        authorities == nil ? systemAuthorities : nil
    }

    /// A file that holds them all; read at each connection.
    ///
    /// Of the system's authorities only where the folder does not do: 140 of them in a file take a tenth of a second,
    /// for which the loop stands still, and 1.4 MB (OpenSSL 3.0).
    var authoritiesFile: String? {
        if authorities != nil || hasHashLinks(systemAuthorities) { return authorities }
        // As Debian calls it, and as Fedora does.
        return ["ca-certificates.crt", "ca-bundle.crt"].map { "\(systemAuthorities)/\($0)" }
            .first { access($0, R_OK) == 0 }
    }

    /// Whether OpenSSL finds a certificate in the folder: by a name made of a hash of its subject.
    private func hasHashLinks(_ folder: String) -> Bool {
        var links = glob_t()
        defer { globfree(&links) }
        let hash = String(repeating: "[0-9a-f]", count: 8)
        return glob("\(folder)/\(hash).0", GLOB_NOSORT, nil, &links) == 0
    }
}
