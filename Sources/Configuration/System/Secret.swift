/// A secret that a file holds: its first line.
package enum Secret {
    private static let limit = 64 << 10

    /// - Throws: `Complaint` that names the file and what keeps it from being read; never what is in it.
    package static func read(_ path: String) throws(Complaint) -> [UInt8] {
        do {
            let content = try readFile(path, limit: limit)
            let line = content.prefix { $0 != UInt8(ascii: "\n") }
            return Array(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
        } catch {
            throw Complaint("\(path): \(error.message)")
        }
    }
}
