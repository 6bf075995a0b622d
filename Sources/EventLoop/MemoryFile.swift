internal import CLinux
internal import Glibc

/// A file that is nowhere but in memory, and gone with this object, however the process ends.
package final class MemoryFile {
    private let descriptor: Int32

    /// - Throws: `EventLoopError` when the system has no descriptor left.
    package init() throws(EventLoopError) {
        descriptor = bluefleet_memory_file()
        guard descriptor >= 0 else { throw EventLoopError("cannot make a file in memory", errno) }
    }

    deinit {
        close(descriptor)
    }

    /// By this it is opened, in this process.
    package var path: String { "/proc/self/fd/\(descriptor)" }

    /// What is in it, or nil when it cannot be read.
    package var text: String? { TextFile.read(path) }
}
