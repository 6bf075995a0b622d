import EventLoop
import JSON
import MQTT
import Simulator
import TestTraits
import Testing

/// Devices that are connected always, periodically or on demand.
@Suite(.ownThreads) struct CollectingTests {
    @Test func `always: subscribed and read values are published`() throws {
        try withFixture(.climate("connect: always")) { fixture in
            #expect(try await fixture.reading("climate/battery") == #"{"value":93,"unit":"%"}"#)
            try await fixture.event("subscribed 2A6F", of: "climate")
            try await fixture.notify("6908", from: "2A6E", of: "climate")
            try await fixture.notify("b90f", from: "2A6F", of: "climate")
            #expect(try await fixture.reading("climate/temperature") == #"{"value":21.53,"unit":"°C"}"#)
            #expect(try await fixture.reading("climate/humidity") == #"{"value":40.25,"unit":"%"}"#)
            #expect(
                try await fixture.events(of: "climate").sorted() == [
                    "connected", "read 2A19", "subscribed 2A6E", "subscribed 2A6F",
                ])
        }
    }

    @Test func `always: a device is connected and subscribed again after a loss`() throws {
        try withFixture(.climate("connect: always").beating()) { fixture in
            try await fixture.connection(of: "climate", "connected")
            try await fixture.direct { try $0.dropLink(of: "climate") }
            let lost = try await fixture.connection(of: "climate", "disconnected")
            #expect(lost["reason"] == "the link was lost")
            try await fixture.connection(of: "climate", "connected")
            let count = fixture.recorder.all("bluefleet/climate/temperature").count
            try await fixture.until("a reading of the new link") {
                fixture.recorder.all("bluefleet/climate/temperature").count > count
            }
        }
    }

    @Test func `always: a notification right after the reconnection is published`() throws {
        try withFixture(.climate("connect: always")) { fixture in
            try await fixture.event("subscribed 2A6E", of: "climate")
            try await fixture.direct { try $0.dropLink(of: "climate") }
            try await fixture.event("subscribed 2A6E", of: "climate", times: 2)
            try await fixture.notify("0000", from: "2A6E", of: "climate")
            let reading = try await fixture.reading("climate/temperature")
            #expect(reading == #"{"value":0,"unit":"°C"}"#)
        }
    }

    @Test func `every: a session disconnects after one value of each characteristic`() throws {
        try withFixture(.climate("connect: every 1h").beating()) { fixture in
            #expect(try await fixture.reading("climate/temperature") == #"{"value":21.53,"unit":"°C"}"#)
            #expect(try await fixture.reading("climate/humidity") == #"{"value":40.25,"unit":"%"}"#)
            try await fixture.event("disconnected", of: "climate")
            let events = try await fixture.events(of: "climate")
            #expect(events.first == "connected")
            #expect(Set(events[1...3]) == ["read 2A19", "subscribed 2A6E", "subscribed 2A6F"])
            #expect(Set(events[4...5]) == ["unsubscribed 2A6E", "unsubscribed 2A6F"])
            #expect(events[6...] == ["disconnected"])
            try await fixture.availability(of: "climate", "asleep")
        }
    }

    @Test func `every: sessions follow at the interval`() throws {
        try withFixture(.climate("connect: every 50ms").beating()) { fixture in
            try await fixture.event("disconnected", of: "climate", times: 3)
            #expect(try await fixture.events(of: "climate").count { $0 == "subscribed 2A6E" } >= 3)
        }
    }

    @Test func `until: a session ends with the named values`() throws {
        try withFixture(.climate("connect: every 1h\nuntil: [humidity]").beating("humidity")) { fixture in
            try await fixture.event("disconnected", of: "climate")
            #expect(fixture.recorder.all("bluefleet/climate/humidity").count >= 1)
            #expect(fixture.recorder.all("bluefleet/climate/temperature").isEmpty)
        }
    }

    @Test func `within: an incomplete session ends`() throws {
        try withFixture(.climate("connect: every 1h\nuntil: [humidity]\nwithin: 2s")) { fixture in
            try await fixture.event("disconnected", of: "climate")
            let events = try await fixture.events(of: "climate")
            #expect(events.last == "disconnected")
            // On a busy machine the session may end after the first subscription; after 60 ms, it even had no connection.
            let subscribed = events.filter { $0.hasPrefix("subscribed ") }
            #expect(Set(events.filter { $0.hasPrefix("unsubscribed ") }) == Set(subscribed.map { "un\($0)" }))
        }
    }

    @Test func `every: an unavailable device is not available after a restart before a session was complete`() throws {
        let scenario = Scenario.climate("connect: every 1h").with {
            $0.fleet.replace("advertise: {rssi: -61", with: "faults: [connect aborts]\n    advertise: {rssi: -61")
        }
        let topic = "bluefleet/climate/availability"
        try withFixture(scenario) { fixture in
            func isFailed(_ availability: JSON) -> Bool {
                availability["state"] == "offline" && availability["reason"]?.string?.hasPrefix("connect") ?? false
            }
            try await fixture.recorder.next(topic, where: isFailed)
            try await fixture.stopGateway()
            let before = fixture.recorder.all(topic).count
            try await fixture.startGateway()
            try await fixture.recorder.next(topic, where: isFailed)
            let states = try fixture.recorder.all(topic).dropFirst(before)
                .map { try JSON(parsing: $0.payload)["state"]?.string }
            #expect(!states.contains("asleep") && !states.contains("online"), "\(states)")
        }
    }

    @Test func `on demand: a device is connected for a command, held, and disconnected`() throws {
        let scenario = Scenario.house(Scenario.relay).with {
            $0.configuration.replace("hold: 1h", with: "hold: 30ms")
        }
        try withFixture(scenario) { fixture in
            try await fixture.availability(of: "relay", "asleep")
            #expect(try await fixture.events(of: "relay").isEmpty)
            let response = try await fixture.request("relay/state/get")
            #expect(response["data"]?["value"] == false)
            try await fixture.event("disconnected", of: "relay")
            #expect(
                try await fixture.events(of: "relay") == ["connected", "read \(Scenario.state)", "disconnected"])
            try await fixture.availability(of: "relay", "asleep")
        }
    }

    @Test func `hold: a second command uses the same connection`() throws {
        try withFixture(.house(Scenario.relay)) { fixture in
            try await fixture.request("relay/state/get")
            try await fixture.request("relay/state/get")
            #expect(try await fixture.events(of: "relay").count { $0 == "connected" } == 1)
        }
    }

    @Test func `quiet: a silent device is disconnected, and connected again later`() throws {
        try withFixture(.climate("connect: always\nquiet: 60ms")) { fixture in
            try await fixture.event("disconnected", of: "climate")
            let events = try await fixture.events(of: "climate")
            #expect(Set(events.suffix(3)) == ["unsubscribed 2A6E", "unsubscribed 2A6F", "disconnected"])
            try await fixture.availability(of: "climate", "asleep")
            try await fixture.event("connected", of: "climate", times: 2)
        }
    }

    @Test func `a periodic read is repeated on the same connection`() throws {
        let scenario = Scenario.climate("connect: always").with {
            $0.configuration.replace("read: 1h", with: "read: 20ms")
        }
        try withFixture(scenario) { fixture in
            try await fixture.event("read 2A19", of: "climate", times: 3)
            #expect(try await fixture.events(of: "climate").count { $0 == "connected" } == 1)
            for _ in 1...3 { #expect(try await fixture.reading("climate/battery") == #"{"value":93,"unit":"%"}"#) }
        }
    }
}
