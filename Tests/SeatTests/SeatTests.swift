import Configuration
import Contract
import EventLoop
import HTTP
import JSON
import System
import TestSupport
import Testing

@testable import Seat

/// The lock of the gateway that decides, in an etcd of Debian.
@Suite struct SeatTests {
    private static let attic = FleetProcess(gateway: "attic", start: "51aa")
    private static let cellar = FleetProcess(gateway: "cellar", start: "77b0")

    private static func settings(_ nodes: [String], _ more: String = "") throws -> Configuration.Share.Seat {
        let list = nodes.map { "\"\($0)\"" }.joined(separator: ", ")
        let yaml = "share: {seat: {etcd: [\(list)]\(more)}}"
        return try #require(try Configuration(yaml: yaml).share?.seat)
    }

    /// A seat that waits longer for its nodes than that of the service: the machine can be busy.
    private static func seat(
        _ settings: Configuration.Share.Seat, prefix: String = "house", _ process: FleetProcess = attic,
        lifetime: Int = 600
    ) -> Seat {
        Seat(settings, prefix: prefix, process, lifetime: lifetime, limits)
    }

    private static func seat(_ etcd: Etcd, _ process: FleetProcess = attic, lifetime: Int = 600) throws -> Seat {
        seat(try settings([etcd.url]), process, lifetime: lifetime)
    }

    private static let limits = EtcdClient.Limits(call: 60_000, login: 60_000)

    private static func claim(_ device: String) -> FleetClaim {
        FleetClaim(
            request: FleetRequest(device: device, remaining: 60_000, content: ["topic": "relay/output/set"]),
            process: cellar)
    }

    @Test func `one process has the seat, and another one after its return`() throws {
        let etcd = try Etcd()
        try EventLoop.run { _ in
            let (attic, cellar) = (try Self.seat(etcd), try Self.seat(etcd, Self.cellar))
            #expect(try await attic.holder() == nil)
            #expect(try await attic.take()?.begun == [:])
            #expect(try await cellar.take() == nil)
            #expect(try await attic.take()?.begun == [:], "the seat is renewed")
            #expect(try await cellar.holder() == "attic 51aa")
            await attic.release()
            #expect(try await cellar.take() == Seat.Holding(begun: [:], answered: [], giver: Self.attic))
            #expect(
                try await cellar.take() == Seat.Holding(begun: [:], answered: [], giver: nil),
                "the giver is returned once")
            #expect(try await attic.take() == nil)
        }
    }

    @Test func `a seat that is not renewed becomes free, and its former holder does not get it back`() throws {
        let etcd = try Etcd()
        try EventLoop.run { _ in
            let (attic, cellar) = (try Self.seat(etcd, lifetime: 3), try Self.seat(etcd, Self.cellar))
            #expect(try await attic.take() != nil)
            var holding: Seat.Holding?
            while holding == nil { holding = try await cellar.take() }
            #expect(holding?.giver == nil)
            #expect(try await attic.take() == nil)
        }
    }

    @Test func `fleets with other prefixes have seats of their own`() throws {
        let etcd = try Etcd()
        try EventLoop.run { _ in
            let other = Self.seat(try Self.settings([etcd.url]), prefix: "garden", Self.cellar)
            #expect(try await Self.seat(etcd).take() != nil)
            #expect(try await other.take() != nil)
        }
    }

    @Test func `the next holder gets the requests that were begun, and those that were answered`() throws {
        let etcd = try Etcd()
        try EventLoop.run { _ in
            let (attic, cellar) = (try Self.seat(etcd), try Self.seat(etcd, Self.cellar))
            #expect(try await attic.take()?.begun == [:])
            // More than etcd changes in one call.
            let names = (0..<230).map { "request-\($0)" }
            let claims = Dictionary(uniqueKeysWithValues: names.map { ($0, Self.claim($0)) })
            #expect(try await attic.record(claims))
            #expect(try await !cellar.record(["other": Self.claim("other")]), "only the holder records")
            try await attic.recordAnswers(names.dropFirst(2) + names.suffix(1))
            await attic.release()
            let found = try await cellar.take()
            #expect(found?.answered == names.dropFirst(2).sorted())
            #expect(try await cellar.take()?.answered == [], "the answers are returned once")
            #expect(found?.begun == ["request-0": Self.claim("request-0"), "request-1": Self.claim("request-1")])
        }
    }

    @Test func `a node that does not answer is left for the next one`() throws {
        let etcd = try Etcd()
        let dead = "http://127.0.0.1:\(try freePort())"
        try EventLoop.run { _ in
            let seat = Self.seat(try Self.settings([dead, etcd.url]))
            #expect(try await seat.take()?.begun == [:])
            etcd.kill()
            let error = await #expect(throws: SeatError.self) { _ = try await seat.take() }
            #expect(error?.description.contains(dead) == true && error?.description.contains(etcd.url) == true)
            try etcd.start()
            while (try? await seat.take()) == nil {}
        }
    }

    @Test func `a login is used where etcd requires one, and renewed`() throws {
        let etcd = try Etcd()
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try folder.write("secret", to: "right")
        try folder.write("wrong", to: "wrong")
        let root = try EtcdClient(try Self.settings([etcd.url]), Self.limits)
        _ = try root.call("/v3/auth/user/add", ["name": "root", "password": "secret"])
        _ = try root.call("/v3/auth/role/add", ["name": "root"])
        _ = try root.call("/v3/auth/user/grant", ["user": "root", "role": "root"])
        _ = try root.call("/v3/auth/enable", [:])
        try EventLoop.run { _ in
            func seat(_ more: String) throws -> Seat {
                Self.seat(try Self.settings([etcd.url], more))
            }
            let right = try seat(", user: root, password_file: \(folder.path("right"))")
            #expect(try await right.take()?.begun == [:])
            // A change of the users makes all tokens invalid.
            let admin = try EtcdClient(
                try Self.settings([etcd.url], ", user: root, password_file: \(folder.path("right"))"), Self.limits)
            _ = try admin.call("/v3/auth/user/add", ["name": "other", "password": "x"])
            #expect(try await right.take()?.begun == [:])
            let wrong = try seat(", user: root, password_file: \(folder.path("wrong"))")
            let error = await #expect(throws: SeatError.self) { _ = try await wrong.take() }
            #expect(error?.description.contains("authentication failed") == true)
            await #expect(throws: SeatError.self) { _ = try await seat("").take() }
        }
    }

    @Test(arguments: [
        (200, "no JSON"), (200, "[1, 2]"), (200, "{}"), (200, #"{"ID": 5}"#), (200, #"{"ID": "x; y"}"#),
        (500, #"{"message": "etcdserver: no leader"}"#), (400, "{"), (404, ""), (301, ""),
        (200, "{\"a\": \"" + String(repeating: "x", count: 3 << 20) + "\"}"),
        (200, String(repeating: "[", count: 1 << 20)),
    ])
    func `a response that is not valid is an error`(status: Int, text: String) throws {
        try EventLoop.run { home in
            let address = try #require(IPAddress("127.0.0.1"))
            let server = try HTTPServer(on: home.loop, listening: [.tcp(address, port: 0)]) { _, exchange in
                exchange.respond(HTTPResponse(status, text: text))
            }
            let port = try #require(server.ports.first ?? nil)
            let seat = Self.seat(try Self.settings(["http://127.0.0.1:\(port)"]))
            let error = await #expect(throws: SeatError.self) { _ = try await seat.take() }
            #expect((error?.description.utf8.count ?? 9999) < 500)
            server.stop()
        }
    }
}
