internal import CLinux
internal import EventLoop
internal import Glibc

/// Memory that counts as the process's own and that it can do without.
///
/// The start goes through most of the code once, that of the libraries too (the configuration, the tables, the dynamic
/// linker); afterwards a fleet needs less of it (measured with ten devices: 15.5 MB of files mapped after the start,
/// 10.5 MB a minute later). The rest would stay mapped until memory runs short.
enum SpareMemory {
    /// Gives it back to the system; what is needed again is mapped again when it is touched.
    static func release() {
        malloc_trim(0)
        for range in unchangedRanges(TextFile.read("/proc/self/smaps") ?? "") {
            guard let start = unsafe UnsafeMutableRawPointer(bitPattern: range.lowerBound) else { continue }
            _ = unsafe madvise(start, range.count, MADV_DONTNEED)
        }
    }

    /// The mappings that are exactly what is in their files, and stay so (proc_pid_smaps(5)).
    ///
    /// What the dynamic linker has changed and then protected cannot be had from a file: such a mapping has anonymous
    /// pages, or had them before they went to the swap.
    static func unchangedRanges(_ text: String) -> [Range<UInt>] {
        var ranges: [Range<UInt>] = []
        var candidate: Range<UInt>?
        // As bytes of an array: the text is long, and this happens in the middle of everything else.
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

    /// Whether a line tells something of a mapping, and does not begin one: `Rss:   12 kB`.
    private static func isProperty(_ line: ArraySlice<UInt8>) -> Bool {
        line.first.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) } ?? true
    }

    /// Where a file is mapped that is not written to: `55d0c8a00000-55d0c9400000 r-xp 00001000 fe:01 1234   /usr/bin/…`.
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
