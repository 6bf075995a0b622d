internal import Glibc

/// Writes a text to a file that nobody else can read, in place of what was in it.
///
/// - Parameter isForced: whether it is on the disk when this returns, which may take a memory card seconds.
/// - Throws: `EventLoopError` that names the file when not all of the text is in it.
package func writeFile(_ text: String, to path: String, isForced: Bool = false) throws(EventLoopError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw EventLoopError("cannot write \(path)", errno) }
    defer { close(descriptor) }
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
        let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        guard count >= 0 || errno == EINTR else { throw EventLoopError("cannot write \(path)", errno) }
        rest = rest.dropFirst(max(0, count))
    }
    if isForced, fsync(descriptor) != 0 { throw EventLoopError("cannot write \(path)", errno) }
}
