import System

/// Reads secrets from files: the first line of a file is the secret.
package enum Secret {
    private static let limit = 64 << 10

    /// Reads the secret from a file.
    ///
    /// - Throws: `InvalidValue`, which names the file and never shows its contents.
    package static func read(_ path: String) throws(InvalidValue) -> [UInt8] {
        do throws(SystemError) {
            let content = try TextFile.bytes(of: path, limit: limit)
            let line = content.prefix { $0 != UInt8(ascii: "\n") }
            return Array(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
        } catch {
            throw InvalidValue(stringLiteral: error.description)
        }
    }
}
