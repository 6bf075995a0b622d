import Configuration
import EventLoop
import Testing

@testable import Bridge

@Suite struct PresenceTests {
    /// A device's session and what is known of it; the time is in seconds.
    struct Play {
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
            self(.found, .connected, .discovered(present: ["temperature"]))
        }

        func judge(_ next: Presence.Overdue? = nil, at second: Double) -> Presence.Judgement {
            presence.judge(session, plan, next: next, at: RhythmTests.at(second))
        }

        func state(at second: Double) -> Availability.State {
            judge(at: second).availability.state
        }
    }

    @Test func `a device that was never there is offline, with the reason`() throws {
        var play = try Play("connect: always")
        #expect(play.judge(at: 0).availability == Availability(state: .offline, reason: "it has not been heard yet"))
        play(.found, .connectFailed(reason: "the connection timed out"))
        #expect(play.judge(at: 5).availability == Availability(state: .offline, reason: "the connection timed out"))
    }

    @Test func `a lost link is told when it has not come back for a while`() throws {
        var play = try Play("connect: always")
        play.connect()
        #expect(play.state(at: 1) == .online)
        play.presence.lastReady = RhythmTests.at(100)
        play(.linkLost)
        #expect(play.judge(at: 101) == .init(availability: .init(state: .online), until: RhythmTests.at(120)))
        #expect(play.judge(at: 120).availability == Availability(state: .offline, reason: "the link was lost"))
        play(.timerFired(.retry))
        play.connect()
        #expect(play.state(at: 121) == .online)
    }

    @Test func `a value that is overdue makes a connected device stale, and not before`() throws {
        var play = try Play("connect: always")
        play.connect()
        let overdue = Presence.Overdue(name: "temperature", deadline: RhythmTests.at(60))
        #expect(play.judge(overdue, at: 59) == .init(availability: .init(state: .online), until: overdue.deadline))
        #expect(
            play.judge(overdue, at: 60).availability
                == Availability(state: .stale, reason: "no value of temperature for longer than usual"))
    }

    @Test func `without Bluetooth every device is offline at once`() throws {
        var play = try Play("connect: always")
        play.connect()
        play.presence.lastReady = RhythmTests.at(100)
        play(.bluetoothChanged(isOn: false))
        #expect(play.state(at: 100) == .offline)
    }

    @Test func `one failed session of a periodic device is no news, two are stale, four offline`() throws {
        var play = try Play("connect: every 10m, within: 30s")
        play.presence.lastCollected = RhythmTests.at(0)
        play(.timerFired(.within))
        #expect(play.session.reason == "it was not heard")
        #expect(play.judge(at: 700) == .init(availability: .init(state: .asleep), until: RhythmTests.at(1230)))
        #expect(play.judge(at: 1230).availability == Availability(state: .stale, reason: "it was not heard"))
        #expect(play.judge(at: 1230).until == RhythmTests.at(2430))
        #expect(play.judge(at: 2430).availability == Availability(state: .offline, reason: "it was not heard"))
    }

    @Test func `a periodic device that comes without its values is stale for good`() throws {
        var play = try Play("connect: every 10m, within: 30s")
        play.presence.lastCollected = RhythmTests.at(0)
        play.connect()
        play(.timerFired(.within), .ended)
        let judgement = play.judge(at: 100_000)
        #expect(judgement == .init(availability: .init(state: .stale, reason: "not all of its values came")))
    }

    @Test func `a periodic device of which nothing ever came is stale as soon as one whose values stay away`() throws {
        var play = try Play("connect: every 10m, within: 30s")
        play.presence.firstCollecting = RhythmTests.at(0)
        play.connect()
        play(.timerFired(.within), .ended)
        #expect(play.judge(at: 1229) == .init(availability: .init(state: .asleep), until: RhythmTests.at(1230)))
        let stale = Availability(state: .stale, reason: "not all of its values came")
        #expect(play.judge(at: 1230) == .init(availability: stale, until: RhythmTests.at(2430)))
        #expect(play.judge(at: 100_000) == .init(availability: stale))
    }

    @Test func `a periodic device that is stale stays so until its values come, be it connected or not`() throws {
        var play = try Play("connect: every 10m, within: 30s")
        play.presence.lastCollected = RhythmTests.at(0)
        play.connect()
        #expect(play.judge(at: 1200) == .init(availability: .init(state: .online), until: RhythmTests.at(1230)))
        #expect(play.state(at: 1230) == .stale)
        play(.timerFired(.within), .ended)
        #expect(play.state(at: 1231) == .stale)
        play(.timerFired(.due))
        play.connect()
        #expect(play.state(at: 1800) == .stale)
        play.presence.lastCollected = RhythmTests.at(1801)
        #expect(play.state(at: 1801) == .online)
    }

    @Test func `what is let go on purpose is asleep`() throws {
        var play = try Play("connect: always")
        play.connect()
        play(.letGo(pause: .seconds(60)), .ended)
        #expect(play.state(at: 1000) == .asleep)
        #expect(try Play("connect: on demand").state(at: 0) == .asleep)
    }

    @Test func `on demand: what failed is told while it is wanted, and then the device is asleep again`() throws {
        var play = try Play("connect: on demand, hold: 20s")
        play(.demanded, .found, .connectFailed(reason: "the connection timed out"))
        #expect(play.judge(at: 1).availability == Availability(state: .offline, reason: "the connection timed out"))
        play(.demandEnded)
        #expect(play.state(at: 2) == .asleep)
        play(.demanded)
        play.connect()
        play(.demandEnded, .linkLost)
        #expect(play.state(at: 3) == .offline)
        play(.timerFired(.hold))
        #expect(play.state(at: 4) == .asleep)
    }

    @Test func `what has rested is asleep until it has been looked for in vain for a while`() throws {
        var play = try Play("connect: always, quiet: 5m")
        play.connect()
        play.presence.lastReady = RhythmTests.at(100)
        play(.timerFired(.quiet), .ended)
        #expect(play.judge(at: 399) == .init(availability: .init(state: .asleep)))
        play.presence.lastAsleep = RhythmTests.at(400)
        play(.timerFired(.retry))
        #expect(play.judge(at: 401) == .init(availability: .init(state: .asleep), until: RhythmTests.at(420)))
        #expect(play.judge(at: 420).availability == Availability(state: .offline, reason: "it is not heard any more"))
        play.connect()
        #expect(play.state(at: 421) == .online)
    }

    @Test func `a device that is no longer looked after is offline`() throws {
        var play = try Play("connect: always")
        play.connect()
        play.presence.farewell = "it was removed"
        play(.stopped)
        #expect(play.judge(at: 0).availability == Availability(state: .offline, reason: "it was removed"))
    }
}
