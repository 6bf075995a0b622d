import EventLoop
import JSON
import MQTT
import Testing

/// A configuration that is read again while the gateway runs.
@Suite struct ReloadTests {
    private func reload(_ stage: Stage) async throws -> JSON {
        try await stage.request("bridge/attic/request/reload")
    }

    private static let both =
        "devices:\n  climate:\n    address: C0:00:00:00:00:01\n\(Script.climate.indented(by: 4))\n\(Script.relay.indented(by: 2))"

    @Test func `what changes is changed, and what stays the same keeps its connection`() throws {
        try onStage(.climate("connect: always")) { _, stage in
            try await stage.connection(of: "climate", "connected")
            stage.file = Self.both
            let added = try await reload(stage)
            #expect(added["data"] == ["added": ["relay"], "changed": [], "removed": []])
            #expect(try await stage.request("relay/state/get")["status"] == "ok")
            stage.file = Self.both.replacing("hold: 1h", with: "hold: 2h")
            #expect(try await reload(stage)["data"] == ["added": [], "changed": ["relay"], "removed": []])
            #expect(try await stage.events(of: "relay").last == "disconnected")
            #expect(try await reload(stage)["data"] == ["added": [], "changed": [], "removed": []])
            #expect(try await stage.events(of: "climate").count { $0 == "connected" } == 1)
            #expect(try await stage.events(of: "climate").count { $0 == "disconnected" } == 0)
        }
    }

    @Test func `a file with mistakes changes nothing, and all of them are told`() throws {
        try onStage(.climate("connect: always")) { _, stage in
            try await stage.connection(of: "climate", "connected")
            stage.file = "devices:\n  climate: {address: C0, conect: never}"
            let error = try await reload(stage)["error"]
            #expect(error?["code"] == "invalid_value")
            let message = try #require(error?["message"]?.string)
            #expect(message.contains("expected an address such as"))
            #expect(message.contains("unknown key 'conect'"))
            #expect(try await stage.request("climate/temperature/get")["status"] == "ok")
            #expect(try await stage.events(of: "climate").count { $0 == "disconnected" } == 0)
        }
    }
}
