import Configuration
import Dashboard
import HTTP
import System
import Testing

/// The parts of the access that depend on time, which the tests set.
@Suite struct PageAccessTests {
    private let start = Instant(nanoseconds: 0)
    private let client = IPAddress("192.0.2.7")

    private func access(_ password: String? = "correct horse") throws -> PageAccess {
        let configuration = try Configuration(yaml: "")
        return PageAccess(configuration.dashboard, password: password.map { Array($0.utf8) }, machine: "attic")
    }

    private func request(_ headers: HTTPField..., from client: IPAddress? = IPAddress("192.0.2.7")) -> HTTPRequest {
        HTTPRequest("GET", "/api/summary", headers: headers, client: client)
    }

    private func isAccepted(_ access: inout PageAccess, _ request: HTTPRequest, at time: Instant) -> Bool {
        if case .accepted = access.decide(request, at: time) { true } else { false }
    }

    private func status(_ access: inout PageAccess, _ password: String, from client: IPAddress?, at time: Instant)
        -> Int
    {
        switch access.logIn(password, request(from: client), at: time) {
        case .accepted(let response), .rejected(let response, _): response.status
        }
    }

    private func session(_ access: inout PageAccess, at time: Instant) throws -> HTTPField {
        guard case .accepted(let response) = access.logIn("correct horse", request(), at: time) else {
            throw InvalidValue(stringLiteral: "rejected")
        }
        let cookie = try #require(response.headers.first { $0.name == "Set-Cookie" })
        return HTTPField("cookie", String(cookie.value.prefix { $0 != ";" }))
    }

    @Test func `a wrong password counts for a minute`() throws {
        var access = try access()
        for _ in 0..<5 { #expect(status(&access, "wrong", from: client, at: start) == 401) }
        #expect(status(&access, "wrong", from: client, at: start + .seconds(59)) == 429)
        #expect(status(&access, "correct horse", from: client, at: start + .seconds(61)) == 200)
    }

    @Test func `20 wrong passwords in all block every address without a session`() throws {
        var access = try access()
        let cookie = try session(&access, at: start)
        for number in 1...20 {
            #expect(status(&access, "wrong", from: IPAddress("198.51.100.\(number)"), at: start) == 401)
        }
        #expect(status(&access, "correct horse", from: client, at: start) == 429)
        #expect(isAccepted(&access, request(cookie), at: start))
    }

    @Test func `the addresses of one IPv6 network count together`() throws {
        var access = try access()
        for number in 1...5 { _ = status(&access, "wrong", from: IPAddress("2001:db8::\(number)"), at: start) }
        #expect(status(&access, "wrong", from: IPAddress("2001:db8::99"), at: start) == 429)
        #expect(status(&access, "wrong", from: IPAddress("2001:db8:0:1::1"), at: start) == 401)
    }

    @Test func `a session ends after 30 days without a request`() throws {
        var access = try access()
        let cookie = try session(&access, at: start)
        let day = Duration.seconds(86_400)
        #expect(isAccepted(&access, request(cookie), at: start + day * 29))
        #expect(isAccepted(&access, request(cookie), at: start + day * 58))
        #expect(!isAccepted(&access, request(cookie), at: start + day * 89))
    }

    @Test func `the 17th session ends the one that was idle for the longest time`() throws {
        var access = try access()
        let cookies = try (0..<17).map { try session(&access, at: start + .seconds($0)) }
        #expect(!isAccepted(&access, request(cookies[0]), at: start + .seconds(20)))
        #expect(cookies[1...].allSatisfy { isAccepted(&access, request($0), at: start + .seconds(20)) })
        #expect(Set(cookies.map(\.value)).count == 17)
    }

    @Test func `without a password, everybody is accepted`() throws {
        var access = try access(nil)
        #expect(isAccepted(&access, request(), at: start))
        #expect(!access.requiresPassword(request()))
    }
}
