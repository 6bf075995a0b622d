import CLinux

/// The memory that the process has allocated.
package enum Heap {
    /// The bytes in use; only a process of its own, such as that of an exit test, has no other users.
    package static var bytesInUse: Int {
        let info = mallinfo2()
        return info.uordblks + info.hblkhd
    }
}
