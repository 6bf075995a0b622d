import CLinux
import Glibc

/// A file that exists only in memory (memfd_create(2)); it is released with this object or when the process ends.
package final class MemoryFile {
    private let descriptor: Int32

    /// - Throws: `SystemError` if the file cannot be created, for example without a free file descriptor.
    package init() throws(SystemError) {
        descriptor = bluefleet_memory_file()
        guard descriptor >= 0 else { throw SystemError("cannot create a file in memory", errno) }
    }

    deinit {
        close(descriptor)
    }

    /// The path that opens the file, in this process and its children.
    package var path: String { "/proc/self/fd/\(descriptor)" }

    /// The contents; nil if they cannot be read.
    package var text: String? { TextFile.read(path) }
}
