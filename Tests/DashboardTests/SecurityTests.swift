import Foundation
import JSON
import System
import TestSupport
import Testing

/// The rules of the page for its clients, from outside.
@Suite struct SecurityTests {
    // MARK: Names of the host

    @Test func `a foreign Host gets 421 on each path`() throws {
        let dashboard = try RunningDashboard()
        for path in ["/", "/healthz", "/metrics", "/api/summary", "/nothing"] {
            #expect(try dashboard.get(path, "Host: evil.example").status == 421)
            #expect(try dashboard.get(path, "Host: evil.example:\(dashboard.port)").status == 421)
        }
        #expect(try dashboard.get("/", "Host: localhost:\(dashboard.port)").status == 200)
        #expect(try dashboard.get("/", "Host: [::1]").status == 200)
    }

    @Test func `the page is called by the names of the configuration`() throws {
        let dashboard = try RunningDashboard("names: [Bluefleet.lan]")
        #expect(try dashboard.get("/", "Host: bluefleet.lan").status == 200)
        #expect(try dashboard.get("/", "Host: other.lan").status == 421)
    }

    @Test func `a request of HTTP 1_0 without Host gets 421`() throws {
        let dashboard = try RunningDashboard()
        let conversation = try dashboard.open()
        conversation.send("GET /api/summary HTTP/1.0\r\n\r\n")
        #expect(conversation.reply()?.status == 421)
        #expect(dashboard.stop() == .code(0))
    }

    // MARK: Foreign pages

    private static let json = "Content-Type: application/json"

    @Test func `a POST needs JSON and the page's own origin`() throws {
        let dashboard = try RunningDashboard()
        let own = "Origin: http://127.0.0.1:\(dashboard.port)"
        func status(_ headers: String...) throws -> Int {
            try dashboard.request("POST", "/api/request/scan", headers, "{}").status
        }
        // Without a gateway, an accepted request is a bad request.
        #expect(try status(Self.json, own) == 400)
        #expect(try status("Content-Type: application/json; charset=utf-8", own) == 400)
        #expect(try status(Self.json, "Sec-Fetch-Site: same-origin") == 400)
        #expect(try status(Self.json, "Authorization: Bearer x") == 400)
        #expect(try status("Content-Type: text/plain", own) == 415)
        #expect(try status(own) == 415)
        #expect(try status(Self.json) == 403)
        #expect(try status(Self.json, "Origin: http://evil.example") == 403)
        #expect(try status(Self.json, "Origin: http://127.0.0.1:1") == 403)
        #expect(try status(Self.json, "Origin: null") == 403)
        #expect(try status(Self.json, "Origin: http://evil.example", "Authorization: Bearer x") == 403)
        #expect(try status(Self.json, "Sec-Fetch-Site: cross-site", "Authorization: Bearer x") == 403)
        #expect(try status(Self.json, "Authorization: Basic eDp4") == 403)
    }

    @Test func `no response allows other origins, and OPTIONS gets 405`() throws {
        let dashboard = try RunningDashboard()
        let reply = try dashboard.request("OPTIONS", "/api/summary", ["Origin: http://evil.example"], "")
        #expect(reply.status == 405)
        for reply in [reply, try dashboard.get("/", "Origin: http://evil.example")] {
            #expect(!reply.headers.contains { $0.name.hasPrefix("access-control") })
        }
        for method in ["PUT", "DELETE", "PATCH", "TRACE", "X"] {
            #expect(try dashboard.request(method, "/", [], "").status == 405)
        }
    }

    @Test(arguments: ["/", "/api/summary", "/healthz", "/metrics", "/nothing", "/api/nothing", "/api/device"])
    func `each response has the security headers`(path: String) throws {
        let reply = try RunningDashboard().get(path)
        #expect(reply.header("X-Content-Type-Options") == "nosniff")
        #expect(reply.header("Referrer-Policy") == "no-referrer")
        #expect(reply.header("Cross-Origin-Opener-Policy") == "same-origin")
        #expect(reply.header("Cross-Origin-Resource-Policy") == "same-origin")
        #expect(
            reply.header("Content-Security-Policy")
                == "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
                + "manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'")
    }

    // MARK: Passwords

    private func protected(_ keys: String = "") throws -> RunningDashboard {
        let folder = try TemporaryFolder()
        let file = try folder.write("correct horse\n", to: "password")
        chmod(file, 0o600)
        return try RunningDashboard("password_file: \(file)" + (keys.isEmpty ? "" : ", \(keys)"), in: folder)
    }

    @Test func `with a password, the interface and the metrics ask for it`() throws {
        let dashboard = try protected()
        for path in ["/api/summary", "/api/device?name=a", "/api/history?device=a", "/api/events", "/metrics"] {
            let reply = try dashboard.get(path)
            #expect(reply.status == 401)
            // Basic would open a dialog of the browser.
            #expect(reply.header("WWW-Authenticate")?.hasPrefix("Bearer") == true)
        }
        #expect(try dashboard.post("/api/request/scan", "{}").status == 401)
        // The page itself has the dialog for the password.
        #expect(try dashboard.get("/").status == 200)
        #expect(try dashboard.get("/healthz").status == 503)
    }

    @Test func `programs send the password as a bearer token or with any user`() throws {
        let dashboard = try protected()
        let basic = Data("prometheus:correct horse".utf8).base64EncodedString()
        #expect(try dashboard.get("/metrics", "Authorization: Bearer correct horse").status == 200)
        #expect(try dashboard.get("/metrics", "Authorization: Basic \(basic)").status == 200)
        #expect(try dashboard.get("/metrics", "Authorization: Bearer correct hors").status == 401)
        #expect(try dashboard.get("/metrics", "Authorization: Bearer correct horse ").status != 500)
        #expect(try dashboard.get("/metrics", "Authorization: Basic ?").status == 401)
        #expect(try dashboard.get("/metrics", "Authorization: correct horse").status == 401)
    }

    @Test func `a session lasts from the right password to its end`() throws {
        let dashboard = try protected()
        let reply = try dashboard.post("/api/session", #"{"password":"correct horse"}"#)
        #expect(reply.status == 200)
        let cookie = try #require(reply.header("Set-Cookie"))
        for part in ["HttpOnly", "SameSite=Strict", "Path=/"] { #expect(cookie.contains("; \(part)")) }
        let token = try #require(cookie.split(separator: ";").first)
        #expect(token.hasPrefix("bluefleet=") && token.count == "bluefleet=".count + 64)
        let header = "Cookie: a=b; \(token); c=d"
        #expect(try JSON(parsing: dashboard.get("/api/summary", header).body)["session"]?["required"] == true)
        #expect(try dashboard.get("/api/summary", "Cookie: bluefleet=0").status == 401)
        #expect(try dashboard.get("/api/summary", "Cookie: \(token)0").status == 401)
        #expect(try dashboard.post("/api/session/end", "{}", header).status == 200)
        #expect(try dashboard.get("/api/summary", header).status == 401)
    }

    @Test func `the sixth wrong password gets 429, and the right one too`() throws {
        let dashboard = try protected()
        for _ in 0..<5 { #expect(try dashboard.post("/api/session", #"{"password":"wrong one"}"#).status == 401) }
        for body in [#"{"password":"wrong one"}"#, #"{"password":"correct horse"}"#] {
            let reply = try dashboard.post("/api/session", body)
            #expect(reply.status == 429)
            let wait = try #require(reply.header("Retry-After").flatMap { Int($0) })
            #expect((1...60).contains(wait))
        }
        #expect(try dashboard.get("/metrics", "Authorization: Bearer correct horse").status == 429)
        #expect(dashboard.logLine(containing: "page_login_failed")?.contains("client=127.0.0.1") == true)
    }

    @Test func `a log-in from a foreign page is rejected`() throws {
        let dashboard = try protected()
        let headers = [Self.json, "Origin: http://evil.example"]
        let reply = try dashboard.request("POST", "/api/session", headers, #"{"password":"correct horse"}"#)
        #expect(reply.status == 403)
        #expect(reply.header("Set-Cookie") == nil)
    }

    @Test func `a trusted proxy is not asked, and its header for other addresses is ignored`() throws {
        let trusted = try protected("trusted_proxies: [127.0.0.0/8]")
        #expect(try trusted.get("/api/summary").status == 200)
        let other = try protected("trusted_proxies: [192.0.2.1]")
        #expect(try other.get("/api/summary", "X-Forwarded-For: 192.0.2.1").status == 401)
    }

    @Test func `a trusted proxy is called by any name, but not by foreign pages`() throws {
        let trusted = try protected("trusted_proxies: [127.0.0.1]")
        let host = "Host: homeassistant.local:8123"
        #expect(try trusted.get("/api/summary", host, "X-Ingress-Path: /api/hassio_ingress/token").status == 200)
        func status(_ origin: String) throws -> Int {
            let headers = [host, Self.json, "Origin: \(origin)"]
            return try trusted.request("POST", "/api/request/scan", headers, "{}").status
        }
        // Without a gateway, an accepted request is a bad request.
        #expect(try status("http://homeassistant.local:8123") == 400)
        #expect(try status("http://evil.example") == 403)
        #expect(try protected("trusted_proxies: [192.0.2.1]").get("/", host).status == 421)
    }

    @Test func `Secure is set only if a trusted proxy reports https`() throws {
        let body = #"{"password":"correct horse"}"#
        let trusted = try protected("trusted_proxies: [127.0.0.1]")
        let https = try trusted.post("/api/session", body, "X-Forwarded-Proto: https")
        #expect(https.header("Set-Cookie")?.contains("; Secure") == true)
        let plain = try protected().post("/api/session", body, "X-Forwarded-Proto: https")
        #expect(plain.header("Set-Cookie")?.contains("Secure") == false)
    }

    @Test func `a password that others can read or that is short stops the program`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        for (password, mode, reason) in [
            ("correct horse", mode_t(0o644), "every user"), ("short", 0o600, "fewer than 8"),
        ] {
            let file = try folder.write(password, to: "password")
            chmod(file, mode)
            let text = "dashboard: {listen: 127.0.0.1:0, password_file: \(file)}"
            let outcome = try RunningDashboard.run([try folder.write(text, to: "a.yaml")])
            #expect(outcome.status == .code(78))
            #expect(outcome.error.contains(reason) && !outcome.error.contains(password))
        }
    }

    @Test func `the page of other machines needs a password`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = try folder.write("dashboard: {listen: 0.0.0.0:0}", to: "a.yaml")
        let outcome = try RunningDashboard.run([file])
        #expect(outcome.status == .code(78))
        #expect(outcome.error.contains("password_file"))
    }

    @Test func `no response contains a password`() throws {
        let broker = try Broker()
        let folder = try TemporaryFolder()
        var files: [String] = []
        for secret in ["secret of the page", "secret of the broker"] {
            files.append(try folder.write(secret, to: secret.replacing(" ", with: "-")))
            chmod(files[files.count - 1], 0o600)
        }
        let keys = "password_file: \(files[0]), mqtt_username: page, mqtt_password_file: \(files[1])"
        let dashboard = try RunningDashboard(keys, broker: broker, in: folder)
        try dashboard.publish("bridge/attic/state", #"{"state":"online"}"#)
        try dashboard.publish("a/availability", #"{"state":"online"}"#)
        for path in [
            "/", "/main.js", "/metrics", "/healthz", "/api/summary", "/api/device?name=a", "/api/history?device=a",
            "/api/remedies", "/api/events?after=1&wait=0", "/api/nothing",
        ] {
            let reply = try dashboard.get(path, "Authorization: Bearer secret of the page")
            #expect(reply.status == 200 || reply.status == 404, "\(path)")
            let text = reply.body + reply.headers.map(\.value).joined()
            #expect(!text.contains("secret of"), "\(path)")
        }
    }

    @Test func `a page that only shows carries out no request`() throws {
        let broker = try Broker()
        let dashboard = try RunningDashboard("access: read", broker: broker)
        let reply = try dashboard.post("/api/request/scan", #"{"gateway":"attic"}"#)
        #expect(reply.status == 403)
        #expect(try JSON(parsing: reply.body)["error"]?["code"] == "not_allowed")
        #expect(try dashboard.json("/api/summary")["access"] == "read")
    }

    @Test func `a Unix socket belongs to its user and group, and asks for no password`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("page.sock")
        let dashboard = try RunningDashboard("listen: [127.0.0.1:0, \"unix:\(path)\"]", in: folder)
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o660)
        let conversation = try Conversation(socket: path)
        conversation.send("GET /api/summary HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(conversation.reply()?.status == 200)
        #expect(dashboard.stop() == .code(0))
    }
}
