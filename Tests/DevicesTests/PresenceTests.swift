import Configuration
import System
import Testing

@testable import Contract
@testable import Devices

@Suite struct PresenceTests {
    /// A session and the presence that is judged from it; times are in seconds.
    struct Scenario {
        var session: Session
        let plan: SessionPlan
        var presence = Presence()

        init(_ keys: String) throws {
            let configuration = try Configuration(
                yaml: """
                    devices:
                      sensor: {address: C0:00:00:00:00:01, characteristics: {temperature: {subscribe: true}}, \(keys)}
                    """)
            plan = SessionPlan(configuration.devices[0])
            session = Session(plan)
            self(.bluetoothChanged(isOn: true), .started)
        }

        mutating func callAsFunction(_ events: SessionEvent...) {
            for event in events { _ = session.handle(event) }
        }

        mutating func connect() {
            self(.found, .connected, .discovered(present: ["temperature"]), .subscribed("temperature"))
        }

        /// Notes the present state of the session, as after each of its events.
        mutating func note(wasUsable: Bool = false, at second: Double) {
            presence.note(
                session, wasUsable: wasUsable, wasAsleep: session.isAsleep, at: RhythmTests.at(second))
        }

        func judge(_ next: Presence.Overdue? = nil, at second: Double) -> Presence.Judgement {
            presence.judge(session, next: next, at: RhythmTests.at(second))
        }

        func state(at second: Double) -> Availability.State {
            judge(at: second).availability.state
        }
    }

    @Test func `an advertiser is online, stale, then offline; the reason says whether it is silent or refused`() throws
    {
        let scenario = try Scenario("connect: always")
        let silence = Silence(begin: RhythmTests.at(0), deadline: RhythmTests.at(60), end: RhythmTests.at(180))
        func judge(_ silence: Silence?, refusal: String? = nil, at second: Double) -> Availability {
            scenario.presence.judge(scenario.session, silence, refusal: refusal, at: RhythmTests.at(second))
                .availability
        }
        #expect(judge(nil, at: 1) == .init(state: .offline, reason: "the device has not been seen yet"))
        #expect(judge(nil, refusal: "no key", at: 1) == .init(state: .offline, reason: "no key"))
        #expect(judge(silence, refusal: "no key", at: 59) == .init(state: .online))
        #expect(judge(silence, at: 60) == .init(state: .stale, reason: "no advertisement for longer than usual"))
        #expect(judge(silence, refusal: "no key", at: 60) == .init(state: .stale, reason: "no key"))
        #expect(judge(silence, at: 180) == .init(state: .offline, reason: "the device is no longer seen"))
        #expect(judge(silence, refusal: "no key", at: 180) == .init(state: .offline, reason: "no key"))
    }

    @Test func `an occasional device is asleep while it is not connected, whatever has failed`() throws {
        for keys in ["connect: always", "connect: every 1s", "connect: on demand"] {
            var scenario = try Scenario("\(keys), occasional: true")
            #expect(scenario.state(at: 100) == .asleep)
            scenario(.found, .connected, .connectionLost)
            scenario.note(wasUsable: true, at: 0)
            #expect(scenario.state(at: 10_000) == .asleep)
            scenario(.timerFired(.retry))
            scenario.connect()
            if keys != "connect: on demand" { #expect(scenario.state(at: 10_001) == .online) }
            scenario(.bluetoothChanged(isOn: false))
            #expect(scenario.state(at: 10_002) == .offline)
        }
        let scenario = try Scenario("connect: always, occasional: true")
        let silence = Silence(begin: RhythmTests.at(0), deadline: RhythmTests.at(60), end: RhythmTests.at(180))
        func state(_ silence: Silence?, _ refusal: String? = nil, at second: Double) -> Availability.State {
            scenario.presence.judge(scenario.session, silence, refusal: refusal, at: RhythmTests.at(second))
                .availability.state
        }
        #expect(state(nil, at: 1) == .asleep)
        #expect(state(nil, "no key", at: 1) == .offline)
        #expect(state(silence, at: 30) == .online)
        #expect(state(silence, at: 100) == .asleep)
        #expect(state(silence, at: 10_000) == .asleep)
    }

    @Test func `a periodic device that was unavailable in the run before stays so until a session has ended`() throws {
        var scenario = try Scenario("connect: every 10m, within: 10s")
        #expect(scenario.state(at: 1) == .asleep)
        scenario.presence.restore(lastCollected: RhythmTests.at(0))
        #expect(scenario.judge(at: 1).availability == .init(state: .stale, reason: "some values are missing"))
        #expect(scenario.judge(at: 1).until == RhythmTests.at(2410))
        #expect(scenario.judge(at: 2410).availability == .init(state: .offline, reason: "the device is no longer seen"))
        scenario.presence.noteCollected(at: RhythmTests.at(2420))
        #expect(scenario.state(at: 2421) == .asleep)
    }

    @Test func `the next run gets the time of the last complete session, or one long ago`() throws {
        var presence = Presence()
        func time(_ keys: String) throws -> Instant? {
            presence.lastCollectedForNextRun(try Scenario(keys).plan, at: RhythmTests.at(5000))
        }
        #expect(try time("connect: always") == nil)
        #expect(try time("connect: every 10m, within: 10s") == RhythmTests.at(2590))
        presence.restore(lastCollected: RhythmTests.at(100))
        #expect(try time("connect: every 10m, within: 10s") == RhythmTests.at(100))
        presence.noteCollected(at: RhythmTests.at(200))
        #expect(try time("connect: every 10m, within: 10s") == RhythmTests.at(200))
    }

    @Test func `a device that was never connected is offline with the reason`() throws {
        var scenario = try Scenario("connect: always")
        #expect(
            scenario.judge(at: 0).availability
                == Availability(state: .offline, reason: "the device has not been seen yet"))
        scenario(.found)
        #expect(
            scenario.judge(at: 1).availability == Availability(state: .offline, reason: "the device is being connected")
        )
        scenario(.connectFailed(reason: "the connection timed out"))
        #expect(scenario.judge(at: 5).availability == Availability(state: .offline, reason: "the connection timed out"))
    }

    @Test func `a lost connection makes a device offline after 20 seconds`() throws {
        var scenario = try Scenario("connect: always")
        scenario.connect()
        #expect(scenario.state(at: 1) == .online)
        scenario.note(at: 100)
        scenario(.connectionLost)
        #expect(scenario.judge(at: 101) == .init(availability: .init(state: .online), until: RhythmTests.at(120)))
        #expect(scenario.judge(at: 120).availability == Availability(state: .offline, reason: "the link was lost"))
        scenario(.timerFired(.retry))
        scenario.connect()
        // The connection before brought no value: this one must, or must last.
        #expect(scenario.judge(at: 121).availability == Availability(state: .offline, reason: "the link was lost"))
        scenario(.timerFired(.probation))
        #expect(scenario.state(at: 122) == .online)
    }

    @Test(arguments: ["always", "every 10m", "on demand"])
    func `connections that are lost before the first answer do not make a device available`(policy: String) throws {
        var scenario = try Scenario("connect: \(policy)")
        if policy == "on demand" { scenario(.commandQueued) }
        for _ in 1...3 {
            scenario(.found, .connected, .discovered(present: ["temperature"]))
            #expect(scenario.state(at: 1) != .online)
            scenario(.connectionLost, .lossExplained("timeout"))
            let offline = Availability(state: .offline, reason: "the link was lost: timeout")
            #expect(scenario.judge(at: 2).availability == offline)
            scenario(.timerFired(.retry))
            #expect(scenario.judge(at: 3).availability == offline)
        }
        scenario.connect()
        if policy == "on demand" { scenario(.commandFinished) }
        #expect(scenario.state(at: 4) == .online)
    }

    @Test func `an overdue value makes a connected device stale`() throws {
        var scenario = try Scenario("connect: always")
        scenario.connect()
        let overdue = Presence.Overdue(name: "temperature", deadline: RhythmTests.at(60))
        #expect(scenario.judge(overdue, at: 59) == .init(availability: .init(state: .online), until: overdue.deadline))
        #expect(
            scenario.judge(overdue, at: 60).availability
                == Availability(state: .stale, reason: "no value of temperature for longer than usual"))
    }

    @Test func `a device is offline at once without Bluetooth`() throws {
        var scenario = try Scenario("connect: always")
        scenario.connect()
        scenario.note(at: 100)
        scenario(.bluetoothChanged(isOn: false))
        #expect(scenario.state(at: 100) == .offline)
    }

    @Test func `a periodic device is stale after two failed sessions, offline after four`() throws {
        var scenario = try Scenario("connect: every 10m, within: 30s")
        scenario.presence.noteCollected(at: RhythmTests.at(0))
        scenario(.timerFired(.within))
        #expect(scenario.session.reason == "the device was not seen")
        #expect(scenario.judge(at: 700) == .init(availability: .init(state: .asleep), until: RhythmTests.at(1230)))
        #expect(scenario.judge(at: 1230).availability == Availability(state: .stale, reason: "the device was not seen"))
        #expect(scenario.judge(at: 1230).until == RhythmTests.at(2430))
        #expect(
            scenario.judge(at: 2430).availability == Availability(state: .offline, reason: "the device was not seen"))
    }

    @Test func `a periodic device that connects without values stays stale`() throws {
        var scenario = try Scenario("connect: every 10m, within: 30s")
        scenario.presence.noteCollected(at: RhythmTests.at(0))
        scenario.connect()
        scenario(.timerFired(.within), .ended)
        let judgement = scenario.judge(at: 100_000)
        #expect(judgement == .init(availability: .init(state: .stale, reason: "some values are missing")))
    }

    @Test func `a periodic device without any value becomes stale after the same time`() throws {
        var scenario = try Scenario("connect: every 10m, within: 30s")
        scenario.connect()
        scenario.note(at: 0)
        scenario(.timerFired(.within), .ended)
        #expect(scenario.judge(at: 1229) == .init(availability: .init(state: .asleep), until: RhythmTests.at(1230)))
        let stale = Availability(state: .stale, reason: "some values are missing")
        #expect(scenario.judge(at: 1230) == .init(availability: stale, until: RhythmTests.at(2430)))
        #expect(scenario.judge(at: 100_000) == .init(availability: stale))
    }

    @Test func `a stale periodic device stays stale until all values have arrived`() throws {
        var scenario = try Scenario("connect: every 10m, within: 30s")
        scenario.presence.noteCollected(at: RhythmTests.at(0))
        scenario.connect()
        #expect(scenario.judge(at: 1200) == .init(availability: .init(state: .online), until: RhythmTests.at(1230)))
        #expect(scenario.state(at: 1230) == .stale)
        scenario(.timerFired(.within), .ended)
        #expect(scenario.state(at: 1231) == .stale)
        scenario(.timerFired(.due))
        scenario.connect()
        #expect(scenario.state(at: 1800) == .stale)
        scenario.presence.noteCollected(at: RhythmTests.at(1801))
        #expect(scenario.state(at: 1801) == .online)
    }

    @Test func `a device that is disconnected on purpose is asleep`() throws {
        var scenario = try Scenario("connect: always")
        scenario.connect()
        scenario(.disconnectRequested(pause: .seconds(60)), .ended)
        #expect(scenario.state(at: 1000) == .asleep)
        #expect(try Scenario("connect: on demand").state(at: 0) == .asleep)
    }

    @Test func `on demand: a failure makes the device offline while a command waits`() throws {
        var scenario = try Scenario("connect: on demand, hold: 20s")
        scenario(.commandQueued, .found, .connectFailed(reason: "the connection timed out"))
        #expect(scenario.judge(at: 1).availability == Availability(state: .offline, reason: "the connection timed out"))
        scenario(.commandFinished)
        #expect(scenario.state(at: 2) == .asleep)
        scenario(.commandQueued)
        scenario.connect()
        scenario(.commandFinished, .connectionLost)
        #expect(scenario.state(at: 3) == .offline)
        scenario(.timerFired(.hold))
        #expect(scenario.state(at: 4) == .asleep)
    }

    @Test func `a quiet device is asleep until it is sought in vain for 20 seconds`() throws {
        var scenario = try Scenario("connect: always, quiet: 5m")
        scenario.connect()
        scenario.note(at: 100)
        scenario(.timerFired(.quiet), .ended)
        #expect(scenario.judge(at: 399) == .init(availability: .init(state: .asleep)))
        scenario.note(at: 400)
        scenario(.timerFired(.retry))
        #expect(scenario.judge(at: 401) == .init(availability: .init(state: .asleep), until: RhythmTests.at(420)))
        #expect(
            scenario.judge(at: 420).availability
                == Availability(state: .offline, reason: "the device is no longer seen"))
        scenario.connect()
        #expect(scenario.state(at: 421) == .online)
    }

    @Test func `a device that is no longer managed is offline`() throws {
        var scenario = try Scenario("connect: always")
        scenario.connect()
        scenario.presence.stop(because: "the device was removed")
        scenario(.stopped)
        #expect(scenario.judge(at: 0).availability == Availability(state: .offline, reason: "the device was removed"))
    }
}
