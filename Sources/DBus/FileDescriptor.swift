internal import Glibc
internal import Synchronization

/// A file descriptor that travels with a message: closed with the last reference to it, unless somebody has taken it.
package final class FileDescriptor: Sendable {
    private let held: Atomic<Int32>

    /// - Parameter descriptor: negative where the process has none left.
    package init(owning descriptor: Int32) {
        held = Atomic(descriptor)
    }

    deinit {
        if number >= 0 { close(number) }
    }

    /// Negative when it was taken.
    var number: Int32 { held.load(ordering: .relaxed) }

    /// The descriptor, which is the caller's from now on; nil where there is none, or somebody was faster.
    package func take() -> Int32? {
        let number = held.exchange(-1, ordering: .relaxed)
        return number >= 0 ? number : nil
    }
}

extension FileDescriptor: Hashable {
    package static func == (one: FileDescriptor, other: FileDescriptor) -> Bool { one === other }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
