package import Glibc

/// The entries of a folder.
package enum Folder {
    /// Returns the names in a folder without `.` and `..`, sorted; empty if the folder cannot be read.
    package static func names(in path: String) -> [String] {
        guard let stream = opendir(path) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// Creates a folder, and the folders above it that are missing.
    ///
    /// - Throws: `SystemError` if one of them cannot be created.
    package static func create(_ path: String, mode: mode_t = 0o755) throws(SystemError) {
        guard access(path, F_OK) != 0 else { return }
        let parent = parent(of: path)
        if parent != path { try create(parent, mode: mode) }
        guard mkdir(path, mode) == 0 || errno == EEXIST else { throw SystemError("cannot create \(path)", errno) }
    }

    /// Returns the folder that contains a file or folder: `/var/lib` for `/var/lib/bluefleet`.
    package static func parent(of path: String) -> String {
        var path = path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
