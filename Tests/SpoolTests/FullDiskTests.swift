import Glibc
import System
import TestSupport
import Testing

@testable import Spool

/// A real file system of 8 MiB that becomes full.
@Suite struct FullDiskTests {
    /// Whether this process may mount a file system.
    private static let mayMount: Bool = {
        guard geteuid() == 0, let folder = try? TemporaryFolder() else { return false }
        defer { folder.remove() }
        guard let disk = try? SmallDisk(in: folder) else { return false }
        disk.unmount()
        return true
    }()

    @Test(.enabled(if: mayMount, "mounting an image needs root and a loop device"))
    func `a small file system keeps the newest records, and the others are counted`() async throws {
        let folder = try SpoolFolder()
        let disk = try SmallDisk(in: folder.folder)
        defer { disk.unmount() }
        // The limit of the size is larger than the disk.
        let file = SpoolFile(in: disk.path("spool"), limits: folder.limits)
        for start in stride(from: 0, to: 60_000, by: 500) {
            let result = await file.append((start..<start + 500).map { folder.record($0, size: 200) }, folder.clock)
            #expect(result.failure == nil)
        }
        let dropped = try await file.report(of: "mqtt://a bluefleet", folder.clock).counters.dropped
        #expect(dropped > 0 && dropped < 50_000, "\(dropped)")
        await file.close()
        let again = SpoolFile(in: disk.path("spool"), limits: folder.limits)
        #expect(try await folder.numbers(again) == Array(dropped..<60_000))
        await again.close()
    }

    @Test(.enabled(if: mayMount, "mounting an image needs root and a loop device"))
    func `another program fills the file system: the records remain, and new ones are accepted later`() async throws {
        let folder = try SpoolFolder()
        let disk = try SmallDisk(in: folder.folder)
        defer { disk.unmount() }
        let file = SpoolFile(in: disk.path("spool"), limits: folder.limits)
        _ = await file.append((0..<1000).map { folder.record($0, size: 200) }, folder.clock)
        await file.close()
        disk.fill()
        let again = SpoolFile(in: disk.path("spool"), limits: folder.limits)
        let refused = await again.append((1000..<3000).map { folder.record($0, size: 200) }, folder.clock)
        #expect(refused.failure != nil && refused.failure?.kind != .damaged)
        await #expect(throws: SpoolError.self) { try await again.probe(folder.clock) }
        disk.empty()
        try await again.probe(folder.clock)
        let next = 1000 + refused.ids.count
        #expect(await again.append((next..<3000).map { folder.record($0, size: 200) }, folder.clock).failure == nil)
        #expect(try await folder.numbers(again) == Array(0..<3000))
        await again.close()
    }
}

/// An ext4 file system of 8 MiB in a file.
private struct SmallDisk {
    private struct Failure: Error {
        let command: [String]
    }

    private let mountPoint: String

    init(in folder: TemporaryFolder) throws {
        mountPoint = folder.path("disk")
        mkdir(mountPoint, 0o700)
        let image = folder.path("image")
        try Self.run("truncate", "-s", "8M", image)
        // Without blocks for root only: the test may run as root.
        try Self.run("mkfs.ext4", "-q", "-m", "0", image)
        try Self.run("mount", "-o", "loop", image, mountPoint)
    }

    private static func run(_ words: String...) throws {
        let command = try Command(words[0], Array(words.dropFirst()))
        guard command.wait() == .code(0) else { throw Failure(command: words) }
    }

    func unmount() { try? Self.run("umount", mountPoint) }

    func path(_ name: String) -> String { "\(mountPoint)/\(name)" }

    /// Another program takes all free space.
    func fill() {
        guard let file = fopen(path("filling"), "w") else { return }
        defer { fclose(file) }
        setvbuf(file, nil, _IONBF, 0)
        let bytes = [UInt8](repeating: 1, count: 1024)
        while fwrite(bytes, 1, bytes.count, file) == bytes.count {}
    }

    func empty() { unlink(path("filling")) }
}
