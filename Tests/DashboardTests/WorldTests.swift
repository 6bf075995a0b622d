import Configuration
import Contract
import JSON
import System
import TestSupport
import Testing

@testable import Dashboard

@Suite struct WorldTests {
    private let start = PresentTime(Instant(nanoseconds: 0), Timestamp(milliseconds: 1_800_000_000_000))

    private var page: PageState {
        PageState(
            isConnected: true, since: start.time, access: "full", requiresPassword: false, history: .seconds(3600))
    }

    private func list(_ names: String...) -> String {
        let entries = names.map { #"{"name":"\#($0)","address":"C0:00:00:00:00:01"}"# }
        return #"{"devices":[\#(entries.joined(separator: ","))],"removed":[]}"#
    }

    @discardableResult
    private func send(_ topic: String, _ payload: String, to world: inout World, retained: Bool = false) -> Effects {
        world.receive(topic, Array(payload.utf8), isRetained: retained, at: start)
    }

    private func names(_ world: World) -> [String] { world.summaries.map(\.name) }

    private let reading = #"{"value":21.5,"unit":"°C","time":"2027-01-15T08:00:00.000Z"}"#

    @Test func `a reading belongs to the longest name of a device, in each order of the messages`() {
        for listFirst in [true, false] {
            var world = World()
            if listFirst { send("bridge/attic/devices", list("a", "a/b"), to: &world) }
            send("a/b/c", reading, to: &world)
            send("a/x", reading, to: &world)
            if !listFirst { send("bridge/attic/devices", list("a", "a/b"), to: &world) }
            #expect(names(world) == ["a", "a/b"])
            #expect(world.summary(of: "a")?.readings.keys.sorted() == ["x"])
            #expect(world.summary(of: "a/b")?.readings.keys.sorted() == ["c"])
        }
    }

    @Test func `a device with a longer name takes its topics from the shorter one`() {
        var world = World()
        send("a/availability", #"{"state":"online"}"#, to: &world)
        send("a/b/c", reading, to: &world)
        #expect(world.summary(of: "a")?.readings.keys.sorted() == ["b/c"])
        send("a/b/availability", #"{"state":"stale"}"#, to: &world)
        #expect(world.summary(of: "a")?.readings.isEmpty == true)
        #expect(world.summary(of: "a/b")?.readings.keys.sorted() == ["c"])
    }

    @Test func `a device whose address has another name in the list is renamed`() {
        var world = World()
        let two = #"{"name":"b","address":"C0:00:00:00:00:02"}"#
        send("bridge/attic/devices", #"{"devices":[{"name":"a","address":"C0:00:00:00:00:01"},\#(two)]}"#, to: &world)
        let effects = send(
            "bridge/attic/devices",
            #"{"devices":[{"name":"c","address":"C0:00:00:00:00:01"},\#(two),{"name":"d","address":"C0:00:00:00:00:03"}]}"#,
            to: &world)
        #expect(effects.renames == [Rename(old: "a", new: "c")])
    }

    @Test func `a device that leaves the list is renamed if its address appears within a minute`() {
        for (seconds, name, renames) in [
            (59, "b", [Rename(old: "a", new: "b")]), (61, "b", []), (1, "a", []),
        ] {
            var world = World()
            send("bridge/attic/devices", list("a"), to: &world)
            send("bridge/attic/devices", list(), to: &world)
            let later = PresentTime(start.instant + .seconds(seconds), start.time)
            let payload = Array(list(name).utf8)
            let effects = world.receive("bridge/attic/devices", payload, isRetained: false, at: later)
            #expect(effects.renames == renames, "\(seconds) \(name)")
        }
    }

    @Test func `a name that another device has got keeps its history`() {
        var world = World()
        send("bridge/attic/devices", list("a"), to: &world)
        send("bridge/attic/devices", list(), to: &world)
        let other = #"{"name":"a","address":"C0:00:00:00:00:02"}"#
        send("bridge/attic/devices", #"{"devices":[\#(other)]}"#, to: &world)
        let both = #"{"devices":[\#(other),{"name":"b","address":"C0:00:00:00:00:01"}]}"#
        #expect(send("bridge/attic/devices", both, to: &world).renames.isEmpty)
    }

    @Test func `a device for which there is no room does not appear, and leaves nothing behind`() {
        var limits = World.Limits()
        limits.topics = 3
        var world = World(limits)
        var isFull = false
        for number in 0..<10 {
            isFull = send("d\(number)/availability", #"{"state":"online"}"#, to: &world).isFull
        }
        #expect(isFull && names(world) == ["d0", "d1", "d2"])
        for number in 0..<10 { send("d\(number)/availability", "", to: &world) }
        #expect(names(world).isEmpty)
        send("d9/availability", #"{"state":"online"}"#, to: &world)
        #expect(names(world) == ["d9"])
    }

    @Test func `an empty payload removes a topic, and the last one removes the device`() {
        var world = World()
        send("a/availability", #"{"state":"online"}"#, to: &world)
        send("a/x", reading, to: &world)
        send("a/x", "", to: &world)
        #expect(world.summary(of: "a")?.readings.isEmpty == true)
        let effects = send("a/availability", "", to: &world)
        #expect(names(world).isEmpty)
        #expect(effects.changes.map(\.topic) == ["a/availability"])
    }

    @Test func `the devices of a gateway that is offline are offline`() {
        var world = World()
        send("bridge/attic/devices", list("a"), to: &world)
        send("a/availability", #"{"state":"online"}"#, to: &world)
        send("bridge/attic/state", #"{"state":"offline"}"#, to: &world)
        let availability = world.summary(of: "a")?.availability
        #expect(availability?.state == .offline && availability?.reason == "the gateway attic is offline")
    }

    @Test func `a device on two gateways belongs to the one that its info names`() {
        var world = World()
        send("bridge/attic/devices", list("a"), to: &world)
        send("bridge/cellar/devices", list("a"), to: &world)
        #expect(world.gateway(of: "a") == "attic")
        send("a/info", #"{"name":"a","gateway":"cellar","characteristics":{}}"#, to: &world)
        #expect(world.gateway(of: "a") == "cellar")
    }

    @Test func `the row of a shared device names all its gateways`() throws {
        var world = World()
        send("bridge/attic/devices", list("a"), to: &world)
        send("bridge/cellar/devices", list("a", "b"), to: &world)
        let devices = try JSON(parsing: world.summaryReply(page, id: 1, at: start.time))["devices"]
        #expect(devices?[0]?["gateways"] == ["attic", "cellar"])
        #expect(devices?[1]?.object?.names.contains("gateways") == false)
    }

    @Test func `only an info with another gateway or other switches goes to the page with all devices`() {
        var world = World()
        send("bridge/attic/devices", list("a", "b"), to: &world)
        send("bridge/cellar/devices", list("a", "b"), to: &world)
        func audience(_ members: String) -> Change.Audience? {
            send("a/info", #"{"name":"a",\#(members)}"#, to: &world).changes.first?.audience
        }
        let plain = #""characteristics":{"b":{"write":false,"fields":[{"name":"b"}]}}"#
        let writable = #""characteristics":{"b":{"write":true,"fields":[{"name":"b"}]}}"#
        #expect(audience(#""gateway":"attic",\#(plain)"#) == .devicePage)
        #expect(audience(#""gateway":"attic","model":"x",\#(plain)"#) == .devicePage)
        #expect(audience(#""gateway":"attic",\#(writable)"#) == .everyone)
        #expect(audience(#""gateway":"cellar",\#(writable)"#) == .everyone)
        // The first info of a device that was shown at the first gateway with it.
        let first = send("b/info", #"{"name":"b","gateway":"cellar"}"#, to: &world)
        #expect(first.changes.first?.audience == .everyone)
        #expect(audience(#""gateway":"cellar","model":"x",\#(writable)"#) == .devicePage)
    }

    @Test func `an info with other units goes to the page with all devices`() {
        var world = World()
        func audience(unit: String) -> Change.Audience? {
            let fields = #"[{"name":"channel"},{"name":"level","unit":"\#(unit)"}]"#
            let info = #"{"name":"a","characteristics":{"b":{"fields":\#(fields)}}}"#
            return send("a/info", info, to: &world).changes.first?.audience
        }
        #expect(audience(unit: "%") == .everyone)
        #expect(audience(unit: "%") == .devicePage)
        #expect(audience(unit: "V") == .everyone)
    }

    @Test func `the row has the units of readings that have no value yet`() throws {
        var world = World()
        let several = #""b":{"fields":[{"name":"channel"},{"name":"level","unit":"%"}]}"#
        let single = #""c":{"fields":[{"name":"c","unit":"V"}]}"#
        send("a/info", #"{"name":"a","characteristics":{\#(several),\#(single)}}"#, to: &world)
        func units() throws -> JSON? {
            try JSON(parsing: world.summaryReply(page, id: 1, at: start.time))["devices"]?[0]?["units"]
        }
        #expect(try units() == ["b.level": "%", "c": "V"])
        send("a/c", "7", to: &world)
        #expect(world.summary(of: "a")?.readings["c"]?.unit == "V")
        #expect(try units() == ["b.level": "%"])
    }

    @Test func `the summary has the length of the history in seconds`() throws {
        #expect(try JSON(parsing: World().summaryReply(page, id: 1, at: start.time))["history"] == 3600)
    }

    @Test func `only a device that joins a known list has a time of addition`() {
        var world = World()
        send("bridge/attic/devices", list("a"), to: &world)
        send("bridge/attic/devices", list("a", "b"), to: &world)
        #expect(world.summary(of: "a")?.added == nil)
        #expect(world.summary(of: "b")?.added == start.time)
    }

    @Test func `the summary has the last 200 events of all gateways, oldest first`() throws {
        var world = World()
        for number in 1...201 {
            let gateway = number == 201 ? "cellar" : "attic"
            send("bridge/\(gateway)/event", #"{"type":"number","count":\#(number)}"#, to: &world)
        }
        send("bridge/attic/event", #"{"type":"long","text":"\#(String(repeating: "x", count: 5000))"}"#, to: &world)
        send("bridge/attic/pairing", #"{"type":"passkey_display","passkey":"012345"}"#, to: &world)
        let events = try #require(try JSON(parsing: world.summaryReply(page, id: 1, at: start.time))["events"]?.array)
        #expect(events.count == 200)
        #expect(events.first?["event"]?["count"] == 2 && events.first?["gateway"] == "attic")
        #expect(events.last?["event"]?["count"] == 201 && events.last?["gateway"] == "cellar")
    }

    @Test func `a truth value can be switched if a characteristic of one field writes it`() {
        var world = World()
        func info(_ characteristics: String) {
            send("a/info", #"{"name":"a","characteristics":{\#(characteristics)}}"#, to: &world)
        }
        func switches() -> [String: String]? { world.summary(of: "a")?.switches }
        send("a/state", #"{"value":true,"time":"2027-01-15T08:00:00.000Z"}"#, to: &world)
        send("a/level", #"{"value":7,"time":"2027-01-15T08:00:00.000Z"}"#, to: &world)
        info(#""state":{"write":false,"fields":[{"name":"on"}]}"#)
        #expect(switches() == [:])
        info(#""state":{"write":true,"fields":[{"name":"on"}]},"level":{"write":true,"fields":[{"name":"level"}]}"#)
        #expect(switches() == ["state": "state"])
        info(#""output":{"write":true,"state":"state","fields":[{"name":"on"}]},"state":{"write":false,"fields":[]}"#)
        #expect(switches() == ["state": "output"])
        info(#""state":{"write":true,"fields":[{"name":"on"},{"name":"level"}]}"#)
        #expect(switches() == [:])
    }

    @Test func `the row has the four newest values, numbers before states`() {
        var world = World()
        send("a/availability", #"{"state":"online"}"#, to: &world)
        for number in 1...6 {
            let time = "2027-01-15T08:00:0\(number).000Z"
            send("a/r\(number)", #"{"value":\#(number),"time":"\#(time)"}"#, to: &world)
        }
        send("a/door", #"{"value":true,"time":"2027-01-15T09:00:00.000Z"}"#, to: &world)
        send("a/record", #"{"x":1,"name":"on","none":null,"time":"2027-01-15T07:00:00.000Z"}"#, to: &world)
        #expect(world.summary(of: "a")?.newestReadings.map(\.name) == ["r3", "r4", "r5", "r6"])
        send("b/availability", #"{"state":"online"}"#, to: &world)
        send("b/level", #"{"value":7,"time":"2027-01-15T08:00:00.000Z"}"#, to: &world)
        send("b/open", #"{"value":true,"time":"2027-01-15T09:00:00.000Z"}"#, to: &world)
        send("b/mode", #"{"value":"eco","time":"2027-01-15T09:00:00.000Z"}"#, to: &world)
        #expect(world.summary(of: "b")?.newestReadings.map(\.reading.value) == [7, "eco", true])
        let readings = world.summary(of: "a")?.readings ?? [:]
        #expect(readings["door"]?.content == .state("true"))
        #expect(readings["record.x"]?.number?.int == 1 && readings["record.name"]?.content == .state("on"))
        #expect(readings["record.none"] == nil)
    }

    @Test func `bare values are readings with the unit of the info`() {
        var world = World()
        let info = #"{"name":"a","characteristics":{"t":{"fields":[{"name":"t","unit":"°C"}]}}}"#
        send("a/info", info, to: &world)
        send("a/t", "21.5", to: &world)
        send("a/s", "closed", to: &world)
        #expect(world.summary(of: "a")?.readings["t"]?.unit == "°C")
        #expect(world.summary(of: "a")?.readings["s"]?.content == .state("closed"))
        #expect(world.payload(of: "a/s", device: "a") == Array(#""closed""#.utf8))
    }

    @Test func `values that arrive before their device go to the history and to the pages`() {
        var world = World()
        #expect(send("a/x", reading, to: &world).samples.isEmpty)
        let first = send("a/availability", #"{"state":"online"}"#, to: &world)
        #expect(first.samples.map(\.name) == ["x"])
        #expect(first.changes.map(\.topic).sorted() == ["a/availability", "a/x"])
        #expect(send("b/y", reading, to: &world).samples.isEmpty)
        let second = send("bridge/attic/devices", list("b"), to: &world)
        #expect(second.samples.map(\.device) == ["b"] && second.samples.map(\.name) == ["y"])
    }

    @Test func `a late reading goes to the history only`() {
        var world = World()
        send("a/availability", #"{"state":"online"}"#, to: &world)
        let late = #"{"value":1,"time":"2027-01-15T05:00:00.000Z","late":true,"id":7}"#
        let effects = send("bridge/attic/late/a/x", late, to: &world)
        #expect(effects.samples.map(\.name) == ["x"] && effects.changes.isEmpty)
        #expect(world.summary(of: "a")?.readings.isEmpty == true)
    }

    @Test func `a retained message that is known is no change, and a repeated value is a sample`() {
        var world = World()
        send("a/availability", #"{"state":"online"}"#, to: &world)
        send("a/x", reading, to: &world)
        #expect(send("a/x", reading, to: &world, retained: true).changes.isEmpty)
        #expect(send("a/x", reading, to: &world).samples.count == 1)
    }

    @Test func `requests, responses, logs and secrets are not stored`() {
        var world = World()
        send("bridge/attic/devices", list("a"), to: &world)
        for topic in [
            "a/request/read", "a/response/read", "a/x/set", "a/x/get", "bridge/attic/request/pair",
            "bridge/attic/response/backup", "bridge/attic/log",
        ] {
            #expect(send(topic, #"{"type":"x","secret":1}"#, to: &world).changes.isEmpty, "\(topic)")
        }
        let pairing = send("bridge/attic/pairing", #"{"type":"confirm","device":"a","number":"1"}"#, to: &world)
        #expect(pairing.changes.map(\.audience) == [.pairing(gateway: "attic")])
        let reply = String(decoding: world.deviceReply("a") ?? [], as: UTF8.self)
        #expect(!reply.contains("secret") && !reply.contains("number"))
    }

    @Test func `a device has its last 50 events`() throws {
        var world = World()
        send("bridge/attic/devices", list("a"), to: &world)
        for number in 0..<60 {
            send("bridge/attic/event", #"{"type":"device_connected","device":"a","n":\#(number)}"#, to: &world)
        }
        let events = try JSON(parsing: try #require(world.deviceReply("a")))["events"]?.array
        #expect(events?.count == 50 && events?.first?["n"] == 10 && events?.last?["n"] == 59)
    }

    @Test func `states that a new connection does not deliver are removed`() {
        var world = World()
        world.beginConnection()
        send("bridge/attic/state", #"{"state":"online"}"#, to: &world, retained: true)
        send("bridge/cellar/state", #"{"state":"online"}"#, to: &world, retained: true)
        send("a/availability", #"{"state":"online"}"#, to: &world, retained: true)
        world.beginConnection()
        send("bridge/attic/state", #"{"state":"online"}"#, to: &world, retained: true)
        let effects = world.endRetainedMessages(at: start)
        #expect(world.gatewayNames == ["attic"] && names(world).isEmpty)
        #expect(effects.changes.map(\.topic).sorted() == ["a/availability", "bridge/cellar/state"])
    }

    // MARK: Hostile publishers

    @Test func `the number and the size of the topics are bounded`() {
        var limits = World.Limits()
        limits.topics = 10
        limits.bytes = 1000
        limits.unassigned = 3
        var world = World(limits)
        let isFull = (0..<20).map { send("d\($0)/availability", #"{"state":"online"}"#, to: &world).isFull }
        #expect(isFull.count { !$0 } == 10)
        for number in 0..<10 { send("d\(number)/availability", "", to: &world) }
        for number in 0..<10 { send("x/\(number)", "1", to: &world) }
        #expect(send("x/99", "1", to: &world).isFull)
        for number in 0..<10 { send("x/\(number)", "", to: &world) }
        let long = String(repeating: "x", count: 900)
        #expect(!send("d/availability", #"{"state":"online","x":"\#(long)"}"#, to: &world).isFull)
        #expect(send("e/availability", #"{"state":"online","x":"\#(long)"}"#, to: &world).isFull)
    }

    @Test func `a payload of 10 MB is not stored`() throws {
        var world = World()
        send("a/availability", #"{"state":"online"}"#, to: &world)
        send("a/x", "\"" + String(repeating: "x", count: 10_000_000) + "\"", to: &world)
        let reply = try JSON(parsing: try #require(world.deviceReply("a")))
        #expect(reply["topics"]?["x"] == ["too_long": 10_000_002])
        #expect(world.summary(of: "a")?.readings.isEmpty == true)
    }

    @Test func `a device with the name of a tag is JSON text`() throws {
        var world = World()
        let name = #"<script>alert("1")</script"#
        send("\(name)/availability", #"{"state":"online"}"#, to: &world)
        let summary = try JSON(parsing: world.summaryReply(page, id: 1, at: start.time))
        #expect(summary["devices"]?[0]?["name"] == .string(name))
    }

    @Test func `arbitrary messages leave replies that are JSON and metrics that are lines`() throws {
        var world = World()
        var random = SeededGenerator(seed: 3838 ^ SeededGenerator.fuzzSeed)
        let levels = [
            "bridge", "attic", "a", "b/c", "", "état\"\\", "devices", "health", "info", "availability", "state", "x",
        ]
        let payloads = [
            "", "{}", "[]", "null", "1e999", "-0", "{\"state\":\"online\"}", "{\"devices\":[{\"name\":\"a\"}]}",
            "{\"devices\":{\"a\":{}}}", "{\"devices\":[1,null,{\"name\":7}]}", "{\"value\":1e400,\"unit\":\"\\n\\\"\"}",
            "{\"value\":true}", "{\"value\":[1]}", "{\"name\":\"a\"}", "\u{0}", "{\"a\":1,\"a\":2}",
            "{\"value\":\"\\u0000\"}",
            "{\"time\":\"never\",\"value\":3}", "{\"x\":{\"y\":1},\"z\":5,\"unit\":9}",
        ]
        for _ in 0..<5000 {
            let topic = (0..<Int.random(in: 1...4, using: &random)).compactMap { _ in
                levels.randomElement(using: &random)
            }
            let payload = payloads.randomElement(using: &random) ?? ""
            var bytes = Array(payload.utf8)
            if Bool.random(using: &random), !bytes.isEmpty {
                bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            let isRetained = Bool.random(using: &random)
            _ = world.receive(topic.joined(separator: "/"), bytes, isRetained: isRetained, at: start)
        }
        _ = try JSON(parsing: world.summaryReply(page, id: 1, at: start.time))
        for name in names(world) { _ = try JSON(parsing: try #require(world.deviceReply(name))) }
        var own = Metrics.Own()
        own.isConnected = true
        for isOpen in [true, false] {
            var metrics = Metrics(world, .all, isOpenMetrics: isOpen)
            let text = String(decoding: metrics.text(own, at: start.instant), as: UTF8.self)
            #expect(text.split(separator: "\n").allSatisfy { $0.contains(/^(#|[a-z_]+(\{.*\})? \S+$)/) })
        }
    }
}
