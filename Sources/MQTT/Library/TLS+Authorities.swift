import Glibc

/// The certificates of the authorities, as OpenSSL loads them.
extension TLS {
    /// The folder with one file for each authority, which OpenSSL reads only when needed; nil: no folder.
    var authoritiesFolder: String? {
        authorities == nil ? systemAuthorities : nil
    }

    /// The file with all authorities, which OpenSSL reads with each connection; nil: no file.
    ///
    /// The system's file is used only if the folder has no links by hash: reading 140 authorities blocks the loop for 0.1 s
    /// and uses 1.4 MB (OpenSSL 3.0).
    var authoritiesFile: String? {
        if authorities != nil || hasHashLinks(systemAuthorities) { return authorities }
        // The names in Debian and in Fedora.
        return ["ca-certificates.crt", "ca-bundle.crt"].map { "\(systemAuthorities)/\($0)" }
            .first { access($0, R_OK) == 0 }
    }

    /// Whether OpenSSL can find certificates in the folder: it needs a link named by the hash of the subject.
    private func hasHashLinks(_ folder: String) -> Bool {
        var links = glob_t()
        defer { globfree(&links) }
        let hash = String(repeating: "[0-9a-f]", count: 8)
        return glob("\(folder)/\(hash).0", GLOB_NOSORT, nil, &links) == 0
    }
}
