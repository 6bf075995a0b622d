import Foundation
import TestSupport
import Testing

@testable import HTTP

/// Clients that send or read slowly.
@Suite struct SlowClientTests {
    @Test func `a request that arrives byte by byte is answered, and delays no other`() throws {
        let dashboard = try RunningDashboard()
        let slow = try dashboard.open()
        for byte in "GET /api/summary HTTP/1.1\r\nHost: localhost\r\n\r" {
            slow.send(String(byte))
            #expect(try dashboard.get("/page.css", "Connection: close").status == 200)
        }
        slow.send("\n")
        #expect(slow.reply()?.status == 200)
    }

    /// A connection in the table, and the socket of its client.
    private final class Client {
        private let sockets: [Int32]
        let table = ConnectionTable()
        static let key: UInt = 7

        init() throws {
            var pair: [Int32] = [-1, -1]
            guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0 else {
                throw UnexpectedOutcome("no pair of sockets")
            }
            sockets = pair
            table.add(Self.key, socket: pair[0], at: 0)
        }

        deinit { for socket in sockets { close(socket) } }

        /// Returns whether the connection is open after the check at a time in seconds.
        func isOpen(after seconds: Int64) -> Bool {
            table.endOverdue(at: seconds * 1_000_000_000)
            var byte: UInt8 = 0
            return recv(sockets[1], &byte, 1, Int32(MSG_DONTWAIT)) != 0
        }
    }

    @Test func `a request must be complete after 40 s`() throws {
        let client = try Client()
        #expect(client.isOpen(after: 40))
        #expect(!client.isOpen(after: 41))
    }

    @Test func `a response must be read after 60 s, and a stream has no limit`() throws {
        let client = try Client()
        client.table.enter(.answering, Client.key, at: 30_000_000_000)
        #expect(client.isOpen(after: 86_400))
        client.table.enter(.sending, Client.key, at: 90_000_000_000_000)
        #expect(client.isOpen(after: 90_060))
        #expect(!client.isOpen(after: 90_061))
    }

    @Test func `a stream whose client reads too slowly ends, and its memory is bounded`() {
        let stream = EventStream {}
        let part = [UInt8](repeating: 120, count: 300_000)
        for _ in 0..<5 { stream.send(part) }
        var count = 0
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 1)
        defer { buffer.deallocate() }
        while let length = stream.read(into: buffer) { count += length }
        #expect(count == 900_000)
    }
}
