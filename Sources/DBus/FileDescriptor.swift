import Glibc
import Synchronization

/// A file descriptor of a message.
///
/// The descriptor is closed with the last reference to this object, unless `take` has transferred it.
package final class FileDescriptor: Sendable {
    private let held: Atomic<Int32>

    /// - Parameter descriptor: The descriptor; negative if the process could not duplicate it.
    package init(owning descriptor: Int32) {
        held = Atomic(descriptor)
    }

    deinit {
        if number >= 0 { close(number) }
    }

    /// The descriptor; negative after it was taken.
    var number: Int32 { held.load(ordering: .relaxed) }

    /// Transfers the descriptor to the caller, which must close it; nil if there is none or if it was already taken.
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
