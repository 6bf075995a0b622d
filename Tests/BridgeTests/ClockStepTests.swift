import EventLoop
import JSON
import System
import TestTraits
import Testing

@testable import Bridge
@testable import Contract

/// Times that were read before the clock was set.
@Suite(.ownThreads) struct ClockStepTests {
    private static let year: Int64 = 1_795_237_740_123
    /// The clock was at the start of 1970, and is set after a minute.
    private static let step = ClockStep(
        step: .milliseconds(year - 60_000), now: Timestamp(milliseconds: year))

    @Test(arguments: [
        (
            #"{"value":21.53,"unit":"°C","time":"1970-01-01T00:00:10.500Z"}"#,
            #"{"value":21.53,"unit":"°C","time":"2026-11-21T05:08:10.623Z"}"#
        ),
        // The time was read after the step.
        (
            #"{"type":"replay_started","time":"2026-11-21T05:09:00.120Z"}"#,
            #"{"type":"replay_started","time":"2026-11-21T05:09:00.120Z"}"#
        ),
        (#"{"state":"online"}"#, nil), ("21.53", nil), ("", nil), (#""}"#, nil),
        (#"{"time":"1970-13-01T00:00:10.500Z"}"#, nil), (#"{"name":"time","time":"yesterday"}"#, nil),
    ])
    func `a payload that ends with a time gets the right one`(payload: String, corrected: String?) {
        let bytes = Self.step.corrected(payload: Array(payload.utf8))
        #expect(bytes.map { String(decoding: $0, as: UTF8.self) } == corrected)
    }

    @Test func `a clock that was set back corrects the times of the future`() {
        let step = ClockStep(step: .seconds(-3600), now: Timestamp(milliseconds: Self.year))
        let early = Timestamp(milliseconds: Self.year + 3_600_000 - 20_000)
        #expect(step.corrected(early).milliseconds == Self.year - 20_000)
    }

    @Test func `after a step of the clock, the retained times are published again, corrected`() throws {
        try withFixture(.climate("connect: always").beating("temperature")) { fixture in
            let connection = try await fixture.connection(of: "climate", "connected")
            let before = try #require(Self.time(of: connection))
            _ = try await fixture.reading("climate/temperature")
            let now = fixture.loop.timestamp.milliseconds
            let day = 86_400_000
            let step = ClockStep(step: .milliseconds(day), now: Timestamp(milliseconds: now + Int64(day)))
            let topics = ["bluefleet/bridge/attic/health", "bluefleet/bridge/attic/adapters"]
            let counts = topics.map { fixture.recorder.all($0).count }
            await fixture.gateway?.clockStepped(step)
            let corrected = try await fixture.recorder.next("bluefleet/climate/connection")
            #expect(Self.time(of: corrected)?.milliseconds == before.milliseconds + Int64(day))
            let isCorrected = { (time: Timestamp?) in (time?.milliseconds ?? 0) > now + Int64(day) / 2 }
            _ = try await fixture.recorder.next("bluefleet/bridge/attic/devices") { list in
                isCorrected((list["devices"]?[0]?["availability"]?["since"]?.string).flatMap { Timestamp($0) })
            }
            for (topic, count) in zip(topics, counts) {
                for _ in 0...count { try await fixture.recorder.next(topic) }
            }
            // Later readings have the time of the machine, whose clock was not set.
            let reading = try await fixture.recorder.next("bluefleet/climate/temperature") { json in
                (Self.time(of: json)?.milliseconds ?? 0) > now + Int64(day) / 2
            }
            #expect(reading["value"] == 21.53)
        }
    }

    private static func time(of json: JSON) -> Timestamp? { (json["time"]?.string).flatMap { Timestamp($0) } }
}
