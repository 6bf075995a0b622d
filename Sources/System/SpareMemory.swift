import CLinux
import Glibc
import Synchronization

/// Memory that counts as resident although the process does not need it.
///
/// During its start, the process reads most of its code and of its libraries once; later it needs less. With ten
/// devices, 15.5 MB of files were resident after the start and 10.5 MB one minute later (measured). Without `release`,
/// the other pages stay resident until the machine runs short of memory.
package enum SpareMemory {
    /// The number of threads that may map files.
    private static let mappingThreads = Atomic<Int>(0)

    /// Calls `body`, which may map files on this thread; `release` does nothing in the meantime.
    ///
    /// Otherwise a range of `release` could belong to a library that the dynamic linker is changing, e.g. one that looks
    /// up the names of hosts.
    package static func whileMapping<Result>(_ body: () -> Result) -> Result {
        mappingThreads.add(1, ordering: .sequentiallyConsistent)
        defer { mappingThreads.subtract(1, ordering: .sequentiallyConsistent) }
        return body()
    }

    /// Returns the memory to the system; the kernel loads a page again when the process reads it.
    ///
    /// - Returns: Whether the memory was released.
    @discardableResult
    package static func release() -> Bool {
        guard mappingThreads.load(ordering: .sequentiallyConsistent) == 0 else { return false }
        malloc_trim(0)
        for range in unchangedRanges(TextFile.read("/proc/self/smaps") ?? "") {
            guard let start = UnsafeMutableRawPointer(bitPattern: range.lowerBound) else { continue }
            _ = madvise(start, range.count, MADV_DONTNEED)
        }
        return true
    }

    /// Returns the read-only file mappings that are identical to their files (proc_pid_smaps(5)).
    ///
    /// Pages that the dynamic linker changed before it protected them cannot be read from the file again. Their mapping
    /// has anonymous pages, or pages in the swap.
    static func unchangedRanges(_ text: String) -> [Range<UInt>] {
        var ranges: [Range<UInt>] = []
        var candidate: Range<UInt>?
        // The text is long, and this code blocks the event loop: an array of bytes is parsed faster than a string.
        for line in [UInt8](text.utf8).split(separator: UInt8(ascii: "\n")) {
            if line.starts(with: "VmFlags:".utf8) {
                if let candidate { ranges.append(candidate) }
                candidate = nil
            } else if line.starts(with: "Anonymous:".utf8) || line.starts(with: "Swap:".utf8) {
                if !line.suffix(5).elementsEqual(" 0 kB".utf8) { candidate = nil }
            } else if !isProperty(line), let range = fileRange(line) {
                candidate = range
            }
        }
        return ranges
    }

    /// Returns whether a line is a property of a mapping, such as `Rss:   12 kB`, and not the first line of a mapping.
    private static func isProperty(_ line: ArraySlice<UInt8>) -> Bool {
        line.first.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) } ?? true
    }

    /// Returns the range of a read-only file mapping: `55d0c8a00000-55d0c9400000 r-xp 00001000 fe:01 1234   /usr/bin/…`.
    private static func fileRange(_ line: ArraySlice<UInt8>) -> Range<UInt>? {
        let words = line.split(separator: UInt8(ascii: " "), maxSplits: 5)
        guard words.count == 6, words[1].elementsEqual("r-xp".utf8) || words[1].elementsEqual("r--p".utf8),
            words[5].first(where: { $0 != UInt8(ascii: " ") }) == UInt8(ascii: "/")
        else { return nil }
        let bounds = words[0].split(separator: UInt8(ascii: "-")).compactMap { bound in
            UInt(String(decoding: bound, as: UTF8.self), radix: 16)
        }
        return bounds.count == 2 && bounds[0] < bounds[1] ? bounds[0]..<bounds[1] : nil
    }
}
