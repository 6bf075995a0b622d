import System

/// Reads secrets from files: the first line of a file is the secret.
package enum Secret {
    private static let limit = 64 << 10

    /// Reads the secret from a regular file.
    ///
    /// - Throws: `InvalidValue`, which names the file and never shows its contents.
    package static func read(_ path: String) throws(InvalidValue) -> [UInt8] {
        try read(path, waitingForPipe: nil)
    }

    /// Reads the secret from a regular file or a pipe.
    ///
    /// - Parameters:
    ///   - path: The file or the pipe.
    ///   - pipeTime: How long to wait for the contents of a pipe; nil: a pipe is rejected.
    /// - Returns: The first line.
    /// - Throws: `InvalidValue`, which names the file and never shows its contents.
    package static func read(_ path: String, waitingForPipe pipeTime: Duration?) throws(InvalidValue) -> [UInt8] {
        do throws(SystemError) {
            let content = try TextFile.bytes(of: path, limit: limit, waitingForPipe: pipeTime)
            let line = content.prefix { $0 != UInt8(ascii: "\n") }
            return Array(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
        } catch {
            throw InvalidValue(stringLiteral: error.description)
        }
    }
}
