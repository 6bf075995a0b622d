import Foundation
import JSON
import System
import TestSupport
import Testing

/// Requests that are not as a browser sends them.
@Suite struct HostileRequestTests {
    private func reply(to text: String, on dashboard: RunningDashboard) throws -> Conversation.Reply? {
        let conversation = try dashboard.open()
        conversation.send(text)
        return conversation.reply()
    }

    @Test(arguments: [
        "GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: localhost\r\nhost: evil.example\r\n\r\n",
        "POST /api/get HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\n{}",
        "POST /api/get HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nContent-Length: 30\r\n\r\n{}",
        "POST /api/get HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "POST /api/get HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nContent-Length: 9\r\n\r\n0\r\n\r\n",
        "POST /api/get HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: x\r\n\r\n0\r\n\r\n",
        "POST /api/get HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nOrigin: http://evil.example\r\n\r\n",
        "POST /api/get HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\ncontent-type: application/json\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: same-origin\r\nSec-Fetch-Site: cross-site\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer a\r\nAuthorization: Bearer b\r\n\r\n",
        "GET http://localhost/ HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET /api/device?name=%zz HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET /api/device?name=a%00b HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET /api/device?name=%ff HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET / HTTP/1.1\r\n\r\n",
    ])
    func `a request with two meanings gets 400, and the connection ends`(text: String) throws {
        let dashboard = try RunningDashboard()
        let conversation = try dashboard.open()
        conversation.send(text + "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(conversation.reply()?.status == 400)
        #expect(conversation.reply() == nil)
        #expect(dashboard.stop() == .code(0))
    }

    @Test func `a body above 64 KiB gets 413`() throws {
        let dashboard = try RunningDashboard()
        let head =
            "POST /api/get HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nOrigin: http://localhost\r\n"
        #expect(try reply(to: head + "Content-Length: 65537\r\n\r\n", on: dashboard)?.status == 413)
        let beyondInt = "Content-Length: 18446744073709551614\r\n\r\n"
        #expect(try reply(to: head + beyondInt, on: dashboard)?.status == 413)
        let chunk = "4000\r\n" + String(repeating: "x", count: 0x4000) + "\r\n"
        let chunks = String(repeating: chunk, count: 5) + "0\r\n\r\n"
        #expect(try reply(to: head + "Transfer-Encoding: chunked\r\n\r\n" + chunks, on: dashboard)?.status == 413)
        let most = #"{"device":""# + String(repeating: "x", count: 65_536 - 13) + #""}"#
        #expect(most.utf8.count == 65_536)
        #expect(try reply(to: head + "Content-Length: 65536\r\n\r\n" + most, on: dashboard)?.status == 404)
    }

    @Test(arguments: ["identity", "gzip", "gzip, chunked", "chunked, gzip", "xchunked"])
    func `an unknown Transfer-Encoding is rejected, and the connection ends`(coding: String) throws {
        let dashboard = try RunningDashboard()
        let conversation = try dashboard.open()
        let request = "POST /api/get HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: \(coding)\r\n\r\n0\r\n\r\n"
        conversation.send(request + "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        // libmicrohttpd 1.0.1 rejects it itself.
        #expect([400, 501].contains(conversation.reply()?.status))
        #expect(conversation.reply() == nil)
    }

    @Test func `a header that is too long gets an error, and the page stays`() throws {
        let dashboard = try RunningDashboard()
        let long = String(repeating: "x", count: 100_000)
        let status = try reply(to: "GET / HTTP/1.1\r\nHost: localhost\r\nX: \(long)\r\n\r\n", on: dashboard)?.status
        #expect(status == nil || [400, 413, 431].contains(status))
        let target = try reply(to: "GET /\(long) HTTP/1.1\r\nHost: localhost\r\n\r\n", on: dashboard)?.status
        #expect(target == nil || [400, 414, 431].contains(target))
        #expect(try dashboard.get("/").status == 200)
    }

    @Test func `a request that is cut anywhere leaves the page alive`() throws {
        let dashboard = try RunningDashboard()
        let text =
            "POST /api/set HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nOrigin: http://localhost\r\n"
            + "Content-Length: 40\r\n\r\n{\"device\":\"a\",\"characteristic\":\"b\"}"
        for length in stride(from: 0, to: text.utf8.count, by: 7) {
            try dashboard.open().send(String(text.prefix(length)))
        }
        #expect(try dashboard.getWhenPossible("/").status == 200)
        #expect(dashboard.stop() == .code(0))
    }

    @Test func `arbitrary bytes leave the page alive`() throws {
        let dashboard = try RunningDashboard()
        var random = SeededGenerator(seed: 38 ^ SeededGenerator.fuzzSeed)
        let parts = [
            "GET ", "POST ", "/api/events", "/api/history?device=", "?after=", "-1", "&wait=", "99999999999999999999",
            " HTTP/1.1",
            "\r\n", "Host: localhost", "Cookie: bluefleet=", "Authorization: Basic ", "Content-Length: ",
            "Last-Event-ID: ",
            "%2F", "{", "\"", "\0", "ü", "Transfer-Encoding: chunked", "Content-Type: application/json", "\r\n\r\n",
        ]
        for _ in 0..<300 {
            let text = (0..<Int.random(in: 1...12, using: &random)).map { _ in
                parts.randomElement(using: &random) ?? ""
            }
            try dashboard.open().send(text.joined() + "\r\n\r\n")
        }
        #expect(try dashboard.getWhenPossible("/").status == 200)
    }

    @Test(arguments: [
        "", "{", "[]", "null", "1", #"{"gateway":1}"#, #"{"gateway":""}"#, #"{"gateway":"nothing"}"#, #"{"device":{}}"#,
        #"{"gateway":"+/#"}"#, #"{"a":1,"a":2}"#, "\u{FEFF}{}",
    ])
    func `a body that is no request gets an error of the contract`(body: String) throws {
        let dashboard = try RunningDashboard()
        for path in ["/api/request/scan", "/api/request/nothing", "/api/set", "/api/get", "/api/request/device/add"] {
            let reply = try dashboard.post(path, body)
            #expect([400, 404].contains(reply.status), "\(path) \(reply.status)")
            let json = try JSON(parsing: reply.body)
            #expect(json["status"] == "error" && json["error"]?["message"]?.string?.isEmpty == false)
        }
    }

    @Test func `many connections leave room for one more after they end`() throws {
        let dashboard = try RunningDashboard()
        var open: [Conversation] = []
        for _ in 0..<80 { open.append(try dashboard.open()) }
        for conversation in open { conversation.send("GET / HTTP/1.1\r\nHost: localhost\r\n") }
        open = []
        #expect(try dashboard.getWhenPossible("/").status == 200)
    }

    @Test func `a stream whose client has gone leaves its place at once`() throws {
        let dashboard = try RunningDashboard()
        func stream() throws -> Conversation {
            let stream = try dashboard.open()
            stream.send("GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
            return stream
        }
        var open = try (0..<40).map { _ in try stream() }
        for stream in open { #expect(stream.head()?.status == 200) }
        let busy = try stream()
        #expect(busy.head()?.status == 503)
        open = []
        // The end of the clients arrives within milliseconds, and not with the next comment after 15 s.
        var status: Int?
        for _ in 0..<500 where status != 200 { status = try stream().head()?.status }
        #expect(status == 200)
    }

    @Test func `long polls whose clients have gone leave their places at once`() throws {
        let dashboard = try RunningDashboard()
        let id = try JSON(parsing: dashboard.get("/api/summary").body)["id"]?.int ?? 0
        func poll(_ wait: Int) throws -> Conversation {
            let poll = try dashboard.open()
            poll.send("GET /api/events?after=\(id)&wait=\(wait) HTTP/1.1\r\nHost: localhost\r\n\r\n")
            return poll
        }
        var open: [Conversation] = []
        // The places are used as soon as a further poll gets 503.
        repeat { open.append(try poll(30)) } while try open.count < 40 || poll(0).head()?.status == 200
        open = []
        var status: Int?
        for _ in 0..<500 where status != 200 { status = try poll(0).head()?.status }
        #expect(status == 200)
    }

    @Test func `a client that goes ends its request`() throws {
        let broker = try Broker()
        let dashboard = try RunningDashboard(broker: broker)
        let id = try JSON(parsing: dashboard.get("/api/summary").body)["id"]?.int ?? 0
        for _ in 0..<100 {
            try dashboard.open().send("GET /api/events?after=\(id)&wait=25 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        }
        var status: Int?
        for _ in 0..<500 where status != 200 { status = (try? dashboard.get("/"))?.status }
        #expect(status == 200)
    }
}
