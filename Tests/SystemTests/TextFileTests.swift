import Glibc
import System
import Testing

@Suite struct TextFileTests {
    /// Runs `body` with the path of a pipe that no program writes to.
    private func withPipe(_ body: (_ path: String) throws -> Void) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let path = folder.path + "/pipe"
        try #require(mkfifo(path, 0o600) == 0)
        try body(path)
    }

    @Test func `TextFile rejects a pipe and a device without waiting for data`() throws {
        try withPipe { path in
            for (path, reason) in [
                (path, "it is a pipe: use a regular file"), ("/dev/ptmx", "it is not a regular file"),
            ] {
                let error = #expect(throws: SystemError.self) { try TextFile.bytes(of: path) }
                #expect(error?.description == "cannot read \(path): \(reason)")
            }
        }
    }

    @Test func `TextFile reads a pipe up to its end if the caller waits for it`() throws {
        try withPipe { path in
            let writer = open(path, O_RDWR | O_CLOEXEC)
            try #require(writer >= 0)
            #expect(write(writer, "abc", 3) == 3)
            // The pipe has a writer, and therefore no end.
            let error = #expect(throws: SystemError.self) {
                try TextFile.bytes(of: path, waitingForPipe: .milliseconds(1))
            }
            #expect(error?.reason == "the pipe had no data for 1ms")
            #expect(write(writer, "abc", 3) == 3)
            // The pipe keeps its contents as long as it has a reader.
            let reader = open(path, O_RDONLY | O_CLOEXEC)
            close(writer)
            #expect(try TextFile.bytes(of: path, waitingForPipe: .seconds(5)) == Array("abc".utf8))
            close(reader)
        }
    }

    @Test func `TextFile does not wait for the writer of a pipe longer than allowed`() throws {
        try withPipe { path in
            let error = #expect(throws: SystemError.self) {
                try TextFile.bytes(of: path, waitingForPipe: .milliseconds(1))
            }
            #expect(error?.reason == "the pipe had no data for 1ms")
        }
    }
}
