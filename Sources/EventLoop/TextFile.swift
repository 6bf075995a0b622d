internal import Glibc

/// A small file, such as those of /proc.
package enum TextFile {
    /// Its text, or nil when it cannot be read.
    package static func read(_ path: String) -> String? {
        do throws(EventLoopError) {
            return try read(ifPresent: path)
        } catch {
            return nil
        }
    }

    /// Its text; nil only where there is no such file.
    ///
    /// - Throws: `EventLoopError` that names the file when it cannot be read.
    package static func read(ifPresent path: String) throws(EventLoopError) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        if descriptor < 0, errno == ENOENT || errno == ENOTDIR { return nil }
        guard descriptor >= 0 else { throw EventLoopError("cannot read \(path)", errno) }
        defer { close(descriptor) }
        var text: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16384)
        while true {
            let count = chunk.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
            if count == 0 { return String(decoding: text, as: UTF8.self) }
            guard count > 0 || errno == EINTR else { throw EventLoopError("cannot read \(path)", errno) }
            text += chunk[..<max(0, count)]
        }
    }
}
