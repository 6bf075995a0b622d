import Glibc
import TestSupport
import Testing

@testable import bluefleet

@Suite struct OutputQueueTests {
    /// Calls `body` with the ends of a pipe.
    private func withPipe(_ body: (_ reading: Int32, _ writing: Int32) throws -> Void) rethrows {
        var ends: [Int32] = [-1, -1]
        #expect(unsafe pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        try body(ends[0], ends[1])
    }

    /// Returns the bytes that a pipe has at the moment.
    private func available(_ reading: Int32) -> String {
        var count: Int32 = 0
        _ = unsafe ioctl(reading, UInt(FIONREAD), &count)
        var bytes = [UInt8](repeating: 0, count: Int(count))
        if count > 0 { #expect(unsafe read(reading, &bytes, bytes.count) == bytes.count) }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func `OutputQueue loses and counts values while a reader stops, and nothing else`() {
        withPipe { reading, writing in
            var queue = OutputQueue(writing)
            let count = 100_000
            for number in 1...count { queue.put("value \(number)\n", isValue: true) }
            queue.put("result\n", isValue: false)
            let early = (isWaiting: queue.isWaiting, loss: queue.takeLoss())
            #expect(early.isWaiting && early.loss == 0)
            // The flags of the shared open file are as before.
            #expect(fcntl(writing, F_GETFL) & O_NONBLOCK == 0)
            var text = ""
            while queue.isWaiting {
                text += available(reading)
                queue.flush()
            }
            text += available(reading)
            let lost = queue.takeLoss()
            #expect(lost > count / 2)
            let further = queue.takeLoss()
            #expect(further == 0)
            let lines = text.split(separator: "\n").map(String.init)
            #expect(lines == (1...count - lost).map { "value \($0)" } + ["result"])
        }
    }

    @Test func `OutputQueue does not wait at the end for a reader that stops`() {
        withPipe { reading, writing in
            var queue = OutputQueue(writing)
            queue.put(String(repeating: "x", count: 1_000_000), isValue: false)
            queue.finish(within: 1)
            let isWaiting = queue.isWaiting
            #expect(isWaiting)
            #expect(available(reading).count > 1000)
        }
    }

    @Test func `OutputQueue reports a closed pipe`() {
        signal(SIGPIPE, SIG_IGN)
        var ends: [Int32] = [-1, -1]
        #expect(unsafe pipe(&ends) == 0)
        defer { close(ends[1]) }
        var queue = OutputQueue(ends[1])
        queue.put("first\n", isValue: false)
        let early = queue.failure
        #expect(early == 0)
        close(ends[0])
        queue.put("second\n", isValue: false)
        let late = (failure: queue.failure, isWaiting: queue.isWaiting)
        #expect(late.failure == EPIPE && !late.isWaiting)
    }

    @Test func `OutputQueue reports a file that is open for reading only`() {
        let descriptor = unsafe open("/dev/null", O_RDONLY)
        defer { close(descriptor) }
        var queue = OutputQueue(descriptor)
        queue.put("lost\n", isValue: false)
        let failure = queue.failure
        #expect(failure == EBADF)
    }
}
