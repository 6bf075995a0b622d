import MQTT
import Testing

@testable import Configuration
@testable import Contract

@Suite struct TopicsTests {
    private static let names = ["größe": ["wärme"], "größe/innen": ["wärme"]]

    /// Returns the address of a request among names with letters of more than one byte.
    private func address(_ text: String) throws -> RequestAddress? {
        try Topics(prefix: "büro", gateway: "käse").address(of: try Topic(text)) { Self.names[$0] }
    }

    @Test func `Topics finds the address of a request with any letters in its names`() throws {
        #expect(try address("büro/bridge/käse/request/device/add") == .bridge(verb: "device/add"))
        #expect(try address("büro/größe/request/collect") == .device("größe", verb: "collect"))
        #expect(try address("büro/größe/innen/wärme/get") == .get("größe/innen", "wärme"))
        #expect(try address("büro/größe/wärme/set") == .set("größe", "wärme"))
        #expect(try address("büro/breite/wärme/set") == nil)
    }

    @Test func `Topics finds the address of a request with a level that begins with a combining accent`() throws {
        let topics = try Topics(prefix: "p", gateway: "g")
        func address(_ text: String) throws -> RequestAddress? {
            topics.address(of: try Topic(text)) { ["\u{301}a": ["b/\u{301}c"]][$0] }
        }
        #expect(try address("p/\u{301}a/b/\u{301}c/get") == .get("\u{301}a", "b/\u{301}c"))
        #expect(try address("p/\u{301}a/request/read") == .device("\u{301}a", verb: "read"))
        let filters = topics.requestFilters(for: ["\u{301}a": ["b/\u{301}c"]])
        #expect(filters.requests.contains("p/+/+/+/get"))
    }

    @Test func `the names that the configuration reserves are the topics of a device`() {
        let groups: [DeviceTopicGroup] = [.request, .response]
        #expect(TopicName.ownOfDevices == Set(DeviceTopic.allCases.map(\.name) + groups.map(\.rawValue)))
    }

    private static let fleet = [
        "pump": ["speed", "inner/level"], "lamp": [], "cellar/freezer": ["door"], "cellar/box": ["door"],
        "attic/box": ["door"], "pump/valve": ["on"],
    ]

    @Test func `twenty devices with names of one level need ten filters`() throws {
        let devices = Dictionary(uniqueKeysWithValues: (1...20).map { ("device\($0)", ["temperature", "humidity"]) })
        let filters = try Topics(prefix: "p", gateway: "g").requestFilters(for: devices)
        #expect(
            filters.requests == [
                "p/+/request/#", "p/+/+/get", "p/+/+/set", "p/bridge/g/request/#",
            ])
        #expect(
            filters.misplaced == [
                "p/+/get", "p/+/set", "p/+/get/+", "p/+/set/+", "p/+/+/+/set", "p/+/+/command",
            ])
    }

    @Test func `a request matches exactly one filter, and a misplaced one at least one`() throws {
        let topics = try Topics(prefix: "p", gateway: "g")
        let filters = topics.requestFilters(for: Self.fleet)
        var requests = GatewayCommand.Verb.allCases.map { "p/bridge/g/request/\($0.rawValue)" }
        for (device, names) in Self.fleet {
            requests += (DeviceCommand.Verb.allCases.map(\.rawValue) + ["", "a/b/c"]).map {
                "p/\(device)/request/\($0)"
            }
            for name in names + ["unknown"] { requests += ["p/\(device)/\(name)/get", "p/\(device)/\(name)/set"] }
        }
        for text in requests {
            let topic = try Topic(text)
            #expect(filters.all.count { $0.matches(topic) } == 1, "\(text)")
            #expect(!filters.overlap(at: topic))
        }
        for text in [
            "p/pump/set", "p/cellar/box/get", "p/pump/set/speed", "p/cellar/box/set/door", "p/bridge/request/scan",
            "p/pump/speed/value/set", "p/cellar/box/door/command",
        ] {
            let topic = try Topic(text)
            #expect(filters.all.contains { $0.matches(topic) }, "\(text)")
        }
        #expect(filters.overlap(at: "p/pump/request/get"))
        #expect(filters.all.count <= 20)
    }

    @Test func `the filters do not match a request twice if a characteristic has the name set`() throws {
        let filters = try Topics(prefix: "p", gateway: "g").requestFilters(for: ["a": ["set"]])
        #expect(filters.all.count { $0.matches("p/a/set/set") } == 1)
        #expect(filters.all.count { $0.matches("p/a/set/get") } == 1)
    }

    @Test func `the states of a gateway with the name request are not subscribed to without need`() throws {
        let topics = try Topics(prefix: "p", gateway: "request")
        let filters = topics.requestFilters(for: ["a/b": []])
        #expect(!filters.all.contains { $0.matches("p/bridge/request/state") })
        for device in ["a", "a/b", "a/b/c"] {
            let filters = topics.requestFilters(for: [device: []])
            #expect(filters.all.count { $0.matches("p/bridge/request/request/scan") } == 1)
        }
    }

    @Test func `the number of filters does not grow with deep names without a limit for misplaced ones`() throws {
        let devices = Dictionary(
            uniqueKeysWithValues: (1...30).map { (Array(repeating: "x", count: $0).joined(separator: "/"), ["y"]) })
        let filters = try Topics(prefix: "p", gateway: "g").requestFilters(for: devices)
        #expect(filters.misplaced.count <= 12)
        #expect(filters.requests.count == 3 * 30)
    }

    @Test(arguments: [
        ("p/pump/set", "p/pump/NAME/set, where NAME is speed, inner/level", "p/pump/response/set"),
        ("p/pump/GET", "p/pump/NAME/get, where NAME is speed, inner/level", "p/pump/response/get"),
        ("p/lamp/set", "p/lamp/NAME/set", "p/lamp/response/set"),
        ("p/cellar/box/get", "p/cellar/box/NAME/get, where NAME is door", "p/cellar/box/response/get"),
        ("p/pump/set/speed", "p/pump/speed/set", "p/pump/response/set"),
        ("p/pump/speed/read", "p/pump/speed/get", "p/pump/response/get"),
        ("p/pump/inner/level/Set", "p/pump/inner/level/set", "p/pump/response/set"),
        ("p/bridge/request/scan", "p/bridge/g/request/scan", "p/bridge/g/response/scan"),
        ("p/bridge/request/device/add", "p/bridge/g/request/device/add", "p/bridge/g/response/device/add"),
        ("p/bridge/request/log", "p/bridge/g/request/log", "p/bridge/g/response/log"),
    ])
    func `Topics names the right topic of a misplaced request`(text: String, right: String, response: String) throws {
        let topics = try Topics(prefix: "p", gateway: "g")
        let request = try #require(topics.misplacedRequest(on: try Topic(text)) { Self.fleet[$0] })
        #expect(request.error.message.hasSuffix(": publish on \(right)"))
        #expect(try topics.response(to: request.address) == Topic(response))
    }

    @Test(arguments: [
        "p/pump/speed", "p/pump/info", "p/pump/response/set", "p/pump/availability", "p/other/set", "q/pump/set",
        "p/bridge/request/state", "p/bridge/request/", "p/bridge/other/set", "p/pump/speed/on", "p/set",
    ])
    func `Topics ignores topics of readings, states, responses and other gateways`(text: String) throws {
        let topics = try Topics(prefix: "p", gateway: "g")
        #expect(topics.misplacedRequest(on: try Topic(text)) { Self.fleet[$0] } == nil)
        let set = topics.misplacedRequest(on: "p/pump/set") { _ in ["set"] }
        #expect(set == nil)
    }

    @Test func `Topics ignores a topic with thousands of levels`() throws {
        #expect(try address("büro/größe/request" + String(repeating: "/", count: 60_000)) == nil)
    }
}
