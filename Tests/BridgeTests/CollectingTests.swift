import EventLoop
import JSON
import Simulator
import Testing

/// Devices that are connected always, now and then, or for a command.
@Suite struct CollectingTests {
    @Test func `always: what is subscribed and what is read arrives`() throws {
        try onStage(.climate("connect: always")) { _, stage in
            #expect(try await stage.reading("climate/battery") == #"{"value":93,"unit":"%"}"#)
            try await stage.event("subscribed 2A6F", of: "climate")
            try await stage.notify("6908", from: "2A6E", of: "climate")
            try await stage.notify("b90f", from: "2A6F", of: "climate")
            #expect(try await stage.reading("climate/temperature") == #"{"value":21.53,"unit":"°C"}"#)
            #expect(try await stage.reading("climate/humidity") == #"{"value":40.25,"unit":"%"}"#)
            #expect(
                try await stage.events(of: "climate").sorted() == [
                    "connected", "read 2A19", "subscribed 2A6E", "subscribed 2A6F",
                ])
        }
    }

    @Test func `always: comes back when the device drops the link, and subscribes again`() throws {
        try onStage(.climate("connect: always").beating()) { _, stage in
            try await stage.connection(of: "climate", "connected")
            try await stage.direct { try $0.dropLink(of: "climate") }
            let lost = try await stage.connection(of: "climate", "disconnected")
            #expect(lost["reason"] == "the link was lost")
            try await stage.connection(of: "climate", "connected")
            let count = stage.record.all("bluefleet/climate/temperature").count
            try await stage.until("a reading of the new link") {
                stage.record.all("bluefleet/climate/temperature").count > count
            }
        }
    }

    @Test func `always: what is notified as soon as the link is back is not lost`() throws {
        try onStage(.climate("connect: always")) { _, stage in
            try await stage.event("subscribed 2A6E", of: "climate")
            try await stage.direct { try $0.dropLink(of: "climate") }
            try await stage.event("subscribed 2A6E", of: "climate", times: 2)
            try await stage.notify("0000", from: "2A6E", of: "climate")
            let reading = try await stage.reading("climate/temperature")
            #expect(reading == #"{"value":0,"unit":"°C"}"#)
        }
    }

    @Test func `every: one value of each, then subscriptions and link are cancelled`() throws {
        try onStage(.climate("connect: every 1h").beating()) { _, stage in
            #expect(try await stage.reading("climate/temperature") == #"{"value":21.53,"unit":"°C"}"#)
            #expect(try await stage.reading("climate/humidity") == #"{"value":40.25,"unit":"%"}"#)
            try await stage.event("disconnected", of: "climate")
            let events = try await stage.events(of: "climate")
            #expect(events.first == "connected")
            #expect(Set(events[1...3]) == ["read 2A19", "subscribed 2A6E", "subscribed 2A6F"])
            #expect(Set(events[4...5]) == ["unsubscribed 2A6E", "unsubscribed 2A6F"])
            #expect(events[6...] == ["disconnected"])
            try await stage.availability(of: "climate", "asleep")
        }
    }

    @Test func `every: the next session comes in its time`() throws {
        try onStage(.climate("connect: every 50ms").beating()) { _, stage in
            try await stage.event("disconnected", of: "climate", times: 3)
            #expect(try await stage.events(of: "climate").count { $0 == "subscribed 2A6E" } >= 3)
        }
    }

    @Test func `until: a session ends with what it names`() throws {
        try onStage(.climate("connect: every 1h\nuntil: [humidity]").beating("humidity")) { _, stage in
            try await stage.event("disconnected", of: "climate")
            #expect(stage.record.all("bluefleet/climate/humidity").count >= 1)
            #expect(stage.record.all("bluefleet/climate/temperature").isEmpty)
        }
    }

    @Test func `within: a session that does not get what it wants ends all the same`() throws {
        try onStage(.climate("connect: every 1h\nuntil: [humidity]\nwithin: 60ms")) { _, stage in
            try await stage.event("disconnected", of: "climate")
            let events = try await stage.events(of: "climate")
            #expect(events.last == "disconnected")
            // On a busy machine it may have got no further than to the first.
            let subscribed = events.filter { $0.hasPrefix("subscribed ") }
            #expect(Set(events.filter { $0.hasPrefix("unsubscribed ") }) == Set(subscribed.map { "un\($0)" }))
        }
    }

    @Test func `on demand: connected for a command, held, and let go`() throws {
        let script = Script.house(Script.relay).with {
            $0.configuration.replace("hold: 1h", with: "hold: 30ms")
        }
        try onStage(script) { _, stage in
            try await stage.availability(of: "relay", "asleep")
            #expect(try await stage.events(of: "relay").isEmpty)
            let response = try await stage.request("relay/state/get")
            #expect(response["data"]?["value"] == false)
            try await stage.event("disconnected", of: "relay")
            #expect(
                try await stage.events(of: "relay") == ["connected", "read \(Script.state)", "disconnected"])
            try await stage.availability(of: "relay", "asleep")
        }
    }

    @Test func `hold: a second command finds the link up, and the hold begins anew`() throws {
        try onStage(.house(Script.relay)) { _, stage in
            try await stage.request("relay/state/get")
            try await stage.request("relay/state/get")
            #expect(try await stage.events(of: "relay").count { $0 == "connected" } == 1)
        }
    }

    @Test func `quiet: a device that says nothing is let go, and looked for again`() throws {
        try onStage(.climate("connect: always\nquiet: 60ms")) { _, stage in
            try await stage.event("disconnected", of: "climate")
            let events = try await stage.events(of: "climate")
            #expect(Set(events.suffix(3)) == ["unsubscribed 2A6E", "unsubscribed 2A6F", "disconnected"])
            try await stage.availability(of: "climate", "asleep")
            try await stage.event("connected", of: "climate", times: 2)
        }
    }

    @Test func `a value that is read each so often is read again on the same link`() throws {
        let script = Script.climate("connect: always").with { $0.configuration.replace("read: 1h", with: "read: 20ms") }
        try onStage(script) { _, stage in
            try await stage.event("read 2A19", of: "climate", times: 3)
            #expect(try await stage.events(of: "climate").count { $0 == "connected" } == 1)
            for _ in 1...3 { #expect(try await stage.reading("climate/battery") == #"{"value":93,"unit":"%"}"#) }
        }
    }
}
