import Glibc

/// A new folder in `TMPDIR` (default `/tmp`) that only this user can read.
///
/// The folder is not removed automatically: the code that creates it must call `remove`.
package struct TemporaryFolder: Sendable {
    package let path: String

    /// - Throws: `SystemError` if the folder cannot be created.
    package init() throws(SystemError) {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        // mkdtemp(3) replaces the six letters.
        var template = Array("\(parent)/bluefleet-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemError("cannot create a folder in \(parent)", errno) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Removes the folder with its contents.
    package func remove() {
        Self.remove(path)
    }

    private static func remove(_ path: String) {
        for name in Folder.names(in: path) { remove("\(path)/\(name)") }
        _ = Glibc.remove(path)
    }
}
