internal import Glibc

/// A folder of our own for as long as it is wanted, readable by nobody else.
package struct TemporaryFolder: Sendable {
    package let path: String

    /// - Throws: `EventLoopError` when there is no room for it.
    package init() throws(EventLoopError) {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(parent)/bluefleet-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw EventLoopError("cannot make a folder in \(parent)", errno) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Removes the folder and all that is in it.
    package func remove() {
        Self.remove(path)
    }

    private static func remove(_ path: String) {
        if let folder = opendir(path) {
            while let entry = readdir(folder) {
                let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
                }
                if name != "." && name != ".." { remove("\(path)/\(name)") }
            }
            closedir(folder)
        }
        _ = Glibc.remove(path)
    }
}
