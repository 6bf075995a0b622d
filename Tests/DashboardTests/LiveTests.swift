import Foundation
import JSON
import System
import TestSupport
import Testing

/// The page's interface with a broker and messages of a gateway.
@Suite struct LiveTests {
    private static let list =
        #"{"devices":[{"name":"cellar/freezer","address":"C0:00:00:00:00:01","source":"configuration","connect":"always","#
        + #""availability":{"state":"online","since":"2026-11-21T05:09:00.123Z"}}],"removed":[]}"#

    /// Publishes the states of a gateway with one device.
    private func publishGateway(_ dashboard: RunningDashboard) throws {
        try dashboard.publish("bridge/attic/state", #"{"state":"online"}"#)
        try dashboard.publish("bridge/attic/devices", Self.list)
        try dashboard.publish("cellar/freezer/availability", #"{"state":"online"}"#)
        try dashboard.publish("cellar/freezer/temperature", Self.reading("-18.3"))
        _ = try dashboard.json("/api/summary") { $0["devices"]?[0]?["readings"]?[0] != nil }
    }

    private static func reading(_ value: String) -> String {
        #"{"value":\#(value),"unit":"°C","time":"\#(now())"}"#
    }

    private static func now() -> String {
        Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)).description
    }

    @Test func `the summary has a row for each device`() throws {
        let broker = try Broker()
        let dashboard = try RunningDashboard(broker: broker)
        try publishGateway(dashboard)
        let summary = try dashboard.json("/api/summary")
        let device = summary["devices"]?[0]
        #expect(summary["broker"]?["connected"] == true)
        #expect(summary["gateways"]?[0]?["name"] == "attic" && summary["gateways"]?[0]?["state"] == "online")
        #expect(device?["name"] == "cellar/freezer" && device?["gateway"] == "attic")
        #expect(device?["availability"]?["state"] == "online")
        #expect(device?["availability"]?["time"] == "2026-11-21T05:09:00.123Z")
        #expect(device?["readings"]?[0]?["value"]?.double == -18.3)
        let details = try dashboard.json("/api/device?name=cellar%2Ffreezer")
        #expect(details["topics"]?["temperature"]?["value"]?.double == -18.3)
        #expect(details["entry"]?["connect"] == "always")
        #expect(try dashboard.get("/api/device?name=nothing").status == 404)
    }

    @Test func `a stream has each change, and resumes after the last event`() throws {
        let broker = try Broker()
        let dashboard = try RunningDashboard(broker: broker)
        try publishGateway(dashboard)
        let stream = try dashboard.open()
        stream.send("GET /api/events HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n")
        let head = try #require(stream.head())
        #expect(head.header("Content-Type") == "text/event-stream")
        #expect(head.header("Cache-Control") == "no-store, no-transform")
        #expect(head.header("Content-Security-Policy") != nil)
        #expect(stream.lines(upTo: "data:")?.contains("event: broker") == true)
        try dashboard.publish("cellar/freezer/temperature", Self.reading("-17.5"))
        let lines = try #require(stream.lines(upTo: "data:"))
        #expect(lines.contains("event: topic"))
        #expect(lines.last?.contains(#"{"topic":"cellar/freezer/temperature","payload":{"value":-17.5,"#) == true)
        let id = try #require(lines.first { $0.hasPrefix("id: ") }.flatMap { Int($0.dropFirst(4)) })
        let resumed = try dashboard.open()
        resumed.send("GET /api/events HTTP/1.1\r\nHost: localhost\r\nLast-Event-ID: \(id - 1)\r\n\r\n")
        #expect(resumed.head()?.status == 200)
        #expect(resumed.lines(upTo: "-17.5") != nil)
        let lost = try dashboard.open()
        lost.send("GET /api/events HTTP/1.1\r\nHost: localhost\r\nLast-Event-ID: 17\r\n\r\n")
        #expect(lost.head()?.status == 200)
        #expect(lost.lines(upTo: "event: reset") != nil)
    }

    @Test func `the stream of a device has its topics only`() throws {
        let broker = try Broker()
        let dashboard = try RunningDashboard(broker: broker)
        try publishGateway(dashboard)
        try dashboard.publish("other/availability", #"{"state":"online"}"#)
        _ = try dashboard.json("/api/device?name=other")
        let stream = try dashboard.open()
        stream.send("GET /api/events?device=cellar%2Ffreezer HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(stream.head()?.status == 200)
        try dashboard.publish("other/temperature", Self.reading("1"))
        try dashboard.publish("cellar/freezer/info", #"{"name":"cellar/freezer"}"#)
        let lines = try #require(stream.lines(upTo: "cellar/freezer/info"))
        #expect(!lines.contains { $0.contains("other/") })
    }

    @Test func `a long poll waits for a change and has what was missed`() throws {
        let broker = try Broker()
        let dashboard = try RunningDashboard(broker: broker)
        try publishGateway(dashboard)
        let id = try #require(dashboard.json("/api/summary")["id"]?.int)
        let empty = try JSON(parsing: dashboard.get("/api/events?after=\(id)&wait=0").body)
        #expect(empty["events"]?.array?.isEmpty == true && empty["id"]?.int == id && empty["reset"] == false)
        let poll = try dashboard.open()
        poll.send("GET /api/events?after=\(id)&wait=25 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        try dashboard.publish("cellar/freezer/temperature", Self.reading("-16"))
        let reply = try JSON(parsing: try #require(poll.reply()).body)
        #expect(reply["events"]?[0]?["topic"] == "cellar/freezer/temperature")
        #expect(reply["events"]?[0]?["payload"]?["value"]?.int == -16)
        let lost = try JSON(parsing: dashboard.get("/api/events?after=1&wait=25").body)
        #expect(lost["reset"] == true)
    }

    @Test func `a broker that goes and comes back is shown, and old metrics vanish`() throws {
        let broker = try Broker()
        let dashboard = try RunningDashboard(broker: broker)
        try publishGateway(dashboard)
        #expect(try dashboard.get("/healthz").body == "ok\n")
        #expect(try dashboard.get("/metrics").body.contains("bluefleet_temperature_celsius{"))
        let stream = try dashboard.open()
        stream.send("GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(stream.head()?.status == 200)
        #expect(stream.lines(upTo: #"{"connected":true}"#) != nil)
        broker.kill()
        #expect(stream.lines(upTo: #"{"connected":false}"#) != nil)
        let away = try dashboard.get("/healthz")
        #expect(away.status == 503 && away.body == "broker away\n")
        let metrics = try dashboard.get("/metrics").body
        #expect(metrics.contains("\nbluefleet_broker_connected 0\n") && !metrics.contains("bluefleet_temperature"))
        #expect(metrics.contains(/bluefleet_build_info\{version="[^"]+",swift="6\.\d+"\} 1/))
        #expect(try JSON(parsing: dashboard.get("/api/summary").body)["broker"]?["connected"] == false)
        #expect(try dashboard.post("/api/request/scan", #"{"gateway":"attic"}"#).status == 503)
        try broker.start()
        #expect(stream.lines(upTo: #"{"connected":true}"#) != nil)
        #expect(try dashboard.get("/healthz").status == 200)
    }

    @Test func `a device whose states the broker no longer retains vanishes after a reconnection`() throws {
        let broker = try Broker()
        let dashboard = try RunningDashboard(broker: broker)
        try dashboard.publish("gone/availability", #"{"state":"online"}"#)
        _ = try dashboard.json("/api/device?name=gone")
        // The broker stores nothing on the disk: after a restart, it retains nothing.
        broker.kill()
        try broker.start()
        let summary = try dashboard.json("/api/summary") { $0["devices"]?.array?.isEmpty == true }
        #expect(summary["broker"]?["connected"] == true)
    }

    // MARK: Requests

    @Test(arguments: [
        (#"{"status":"ok","data":{"a":1}}"#, 200), (#"{"status":"error","error":{"code":"busy","message":"x"}}"#, 409),
        (#"{"status":"error","error":{"code":"bluetooth_off","message":"x"}}"#, 503),
        (#"{"status":"error","error":{"code":"att_error","message":"x","att":5}}"#, 502), ("{}", 502), ("nothing", 502),
    ])
    func `a request gets the response of the gateway`(payload: String, status: Int) throws {
        let broker = try Broker()
        let dashboard = try RunningDashboard(broker: broker)
        try publishGateway(dashboard)
        let gateway = try FakeGateway(broker.port, payload)
        let reply = try dashboard.post("/api/request/scan", #"{"gateway":"attic","for":"1s","transaction":7}"#)
        #expect(reply.status == status)
        if status != 502 || payload.contains("att_error") { #expect(reply.body == payload) }
        #expect(try gateway.request() == #"bluefleet/bridge/attic/request/scan {"for":"1s","transaction":7}"#)
        #expect(try dashboard.get("/metrics").body.contains(#"bluefleet_requests_total{verb="scan",code="#))
    }

    @Test func `a value is written on the topic of its characteristic`() throws {
        let broker = try Broker()
        let dashboard = try RunningDashboard(broker: broker)
        try publishGateway(dashboard)
        let gateway = try FakeGateway(broker.port, #"{"status":"ok","data":{}}"#)
        let body = #"{"device":"cellar/freezer","characteristic":"setpoint","value":-20.5}"#
        #expect(try dashboard.post("/api/set", body).status == 200)
        #expect(try gateway.request() == "bluefleet/cellar/freezer/setpoint/set -20.5")
        let object = #"{"device":"cellar/freezer","characteristic":"setpoint","value":{"level":1},"ttl":"5s"}"#
        #expect(try dashboard.post("/api/set", object).status == 200)
        let request = try gateway.request()
        #expect(request == #"bluefleet/cellar/freezer/setpoint/set {"level":1,"ttl":"5s"}"#)
    }

    @Test func `with MQTT 3_1_1 the transaction marks the request`() throws {
        let broker = try Broker()
        let dashboard = try RunningDashboard(broker: broker, mqtt: "protocol: 3.1.1")
        try publishGateway(dashboard)
        let gateway = try FakeGateway(broker.port, nil)
        let reply = try dashboard.post(
            "/api/request/read", #"{"device":"cellar/freezer","characteristic":"a","transaction":7}"#)
        #expect(reply.status == 200)
        #expect(try JSON(parsing: reply.body) == ["status": "ok", "transaction": 7, "data": [:]])
        let request = try gateway.request()
        #expect(request.hasPrefix(#"bluefleet/cellar/freezer/request/read {"characteristic":"a","transaction":"page-"#))
    }

    @Test func `requests for unknown devices, and those with secrets, are not published`() throws {
        let broker = try Broker()
        let dashboard = try RunningDashboard(broker: broker)
        try publishGateway(dashboard)
        func code(_ path: String, _ body: String) throws -> JSON? {
            try JSON(parsing: dashboard.post(path, body).body)["error"]?["code"]
        }
        #expect(try code("/api/request/read", #"{"device":"cellar","characteristic":"a"}"#) == "unknown_device")
        #expect(try code("/api/request/nothing", #"{"gateway":"attic"}"#) == "unknown_verb")
        #expect(try code("/api/request/scan", #"{"gateway":"other"}"#) == "not_found")
        #expect(try code("/api/request/backup", #"{"gateway":"attic"}"#) == "not_allowed")
        #expect(try code("/api/set", #"{"device":"cellar/freezer","characteristic":"a/#","value":1}"#) == "bad_request")
    }

    @Test func `the questions of a pairing go only to the visitor who asked`() throws {
        let broker = try Broker()
        let folder = try TemporaryFolder()
        let file = try folder.write("correct horse", to: "password")
        chmod(file, 0o600)
        let dashboard = try RunningDashboard("password_file: \(file)", broker: broker, in: folder)
        func session() throws -> String {
            let reply = try dashboard.post("/api/session", #"{"password":"correct horse"}"#)
            return "Cookie: " + (reply.header("Set-Cookie")?.split(separator: ";").first ?? "")
        }
        let (asking, other) = (try session(), try session())
        func stream(_ cookie: String) throws -> Conversation {
            let stream = try dashboard.open()
            stream.send("GET /api/events HTTP/1.1\r\nHost: localhost\r\n\(cookie)\r\n\r\n")
            #expect(stream.head()?.status == 200)
            #expect(stream.lines(upTo: "data:") != nil)
            return stream
        }
        let (own, foreign) = (try stream(asking), try stream(other))
        try dashboard.publish("bridge/attic/state", #"{"state":"online"}"#)
        #expect(own.lines(upTo: "bridge/attic/state") != nil)
        let pairing = try dashboard.open()
        let body = #"{"gateway":"attic","device":"lock"}"#
        let gateway = try FakeGateway(broker.port, nil)
        pairing.send(
            "POST /api/request/pair HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\n\(asking)\r\n"
                + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
        _ = try gateway.request()
        try dashboard.publish(
            "bridge/attic/pairing", #"{"type":"passkey_display","device":"lock","passkey":"012345"}"#, retained: false)
        try dashboard.publish("bridge/attic/state", #"{"state":"offline"}"#)
        #expect(own.lines(upTo: "012345") != nil)
        let lines = try #require(foreign.lines(upTo: "offline"))
        #expect(!lines.contains { $0.contains("012345") })
    }

    @Test func `requests whose clients have gone make room for others`() throws {
        let broker = try Broker()
        let dashboard = try RunningDashboard(broker: broker)
        try publishGateway(dashboard)
        let body = #"{"gateway":"attic"}"#
        func scan() throws -> Conversation {
            let scan = try dashboard.open()
            scan.send(
                "POST /api/request/scan HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\n"
                    + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
            return scan
        }
        let silent = try FakeGateway(broker.port, answers: false)
        var waiting: [Conversation] = []
        for _ in 0..<32 {
            waiting.append(try scan())
            #expect(try silent.request().hasPrefix("bluefleet/bridge/attic/request/scan"))
        }
        #expect(try scan().reply()?.status == 409)
        let gateway = try FakeGateway(broker.port)
        waiting = []
        #expect(try eventually { try scan().reply()?.status == 200 })
        #expect(try gateway.request().hasPrefix("bluefleet/bridge/attic/request/scan"))
    }

    // MARK: History

    @Test func `the history of a reading whose value is too old is empty`() throws {
        let broker = try Broker()
        let dashboard = try RunningDashboard(broker: broker)
        try publishGateway(dashboard)
        try dashboard.publish("cellar/freezer/old", #"{"value":1,"unit":"V","time":"2026-01-01T00:00:00.000Z"}"#)
        try dashboard.publish("cellar/freezer/door", #"{"value":true,"time":"2026-01-01T00:00:00.000Z"}"#)
        let path = "/api/history?device=cellar%2Ffreezer&reading="
        _ = try dashboard.json("/api/summary") { $0["devices"]?[0]?["readings"]?.array?.count == 3 }
        let numbers = try JSON(parsing: dashboard.get(path + "old").body)
        let means = try #require(numbers["mean"]?.array)
        #expect(numbers["unit"] == "V" && (288...289).contains(means.count) && means.allSatisfy { $0.isNull })
        #expect(try JSON(parsing: dashboard.get(path + "door").body) == ["states": []])
        #expect(try dashboard.get(path + "old", "Accept: text/csv").body == "time,min,mean,max,unit\r\n")
        #expect(try dashboard.get(path + "nothing").status == 404)
    }

    @Test func `the history survives a restart, and a damaged file is set aside`() throws {
        let broker = try Broker()
        let folder = try TemporaryFolder()
        let dashboard = try RunningDashboard(broker: broker, in: folder)
        try publishGateway(dashboard)
        func means(_ dashboard: RunningDashboard) throws -> [Double] {
            let path = "/api/history?device=cellar%2Ffreezer&reading=temperature"
            let reply = try dashboard.get(path)
            return reply.status == 200 ? try JSON(parsing: reply.body)["mean"]?.array?.compactMap(\.double) ?? [] : []
        }
        #expect(try means(dashboard) == [-18.3])
        #expect(dashboard.stop() == .code(0))
        broker.kill()
        try broker.start()
        let restarted = try RunningDashboard(broker: broker, in: folder)
        // The rows are read while the page is open already.
        #expect(try eventually { try means(restarted) == [-18.3] })
        restarted.kill()
        try folder.write("this is no database, whatever its name", to: "state/history.db")
        let third = try RunningDashboard(broker: broker, in: folder)
        #expect(third.logLine(containing: "damaged") != nil)
        #expect(try means(third) == [])
        #expect(FileManager.default.fileExists(atPath: folder.path("state/history.db.damaged")))
    }

    @Test func `on a full disk the page stays, and the history is stored when there is room again`() throws {
        let broker = try Broker()
        let folder = try TemporaryFolder()
        let library = URL(fileURLWithPath: RunningDashboard.path).deletingLastPathComponent()
            .appendingPathComponent("libDiskFaults.so").path
        let fault = try folder.write("ENOSPC", to: "fault")
        let environment = ["LD_PRELOAD": library, "BLUEFLEET_DISK_FAULTS": fault]
        let dashboard = try RunningDashboard(broker: broker, in: folder, environment: environment)
        #expect(dashboard.logLine(containing: "the values of earlier runs are not shown")?.contains("full") == true)
        try publishGateway(dashboard)
        let path = "/api/history?device=cellar%2Ffreezer&reading=temperature"
        _ = try dashboard.json(path) { $0["mean"]?.array?.contains { $0.double == -18.3 } == true }
        try folder.write("", to: "fault")
        #expect(dashboard.stop() == .code(0))
        broker.kill()
        try broker.start()
        let restarted = try RunningDashboard(broker: broker, in: folder)
        #expect(try eventually { try restarted.get(path).body.contains("-18.3") })
    }

    private func eventually(_ condition: () throws -> Bool) throws -> Bool {
        for _ in 0..<2000 where try condition() { return true }
        return false
    }

    @Test func `the history as CSV has a line for each slot`() throws {
        let broker = try Broker()
        let dashboard = try RunningDashboard(broker: broker)
        try publishGateway(dashboard)
        let path = "/api/history?device=cellar%2Ffreezer&reading=temperature"
        let reply = try dashboard.get(path, "Accept: text/csv")
        let lines = reply.body.split(separator: "\r\n")
        #expect(reply.header("Content-Type")?.hasPrefix("text/csv") == true)
        #expect(lines.count == 2 && lines[0] == "time,min,mean,max,unit" && lines[1].hasSuffix(",-18.3,-18.3,-18.3,°C"))
        #expect(try dashboard.get(path + "&from=yesterday").status == 400)
    }
}
