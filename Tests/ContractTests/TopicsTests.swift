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
        #expect(topics.requests(to: ["\u{301}a": ["b/\u{301}c"]]).contains("p/\u{301}a/b/\u{301}c/get"))
    }

    @Test func `the names that the configuration reserves are the topics of a device`() {
        let groups: [DeviceTopicGroup] = [.request, .response]
        #expect(TopicName.ownOfDevices == Set(DeviceTopic.allCases.map(\.name) + groups.map(\.rawValue)))
    }

    @Test func `Topics ignores a topic with thousands of levels`() throws {
        #expect(try address("büro/größe/request" + String(repeating: "/", count: 60_000)) == nil)
    }
}
