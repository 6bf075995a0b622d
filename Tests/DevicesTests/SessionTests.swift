import Bluetooth
import Configuration
import System
import TestSupport
import Testing

@testable import Contract
@testable import Devices

@Suite struct SessionTests {
    /// A session with a configured device, and the actions that it has returned so far.
    struct Scenario {
        var session: Session
        var log: [SessionAction] = []

        init(_ keys: String, read: String = "1h") throws {
            let yaml = """
                devices:
                  sensor:
                    address: C0:00:00:00:00:01
                    renew_bond: true
                    characteristics:
                      temperature: {service: 181A, subscribe: true}
                      battery_level: {service: 180F, read: \(read)}
                      output: {service: 1815, uuid: 2A56, write: true}
                \(keys.split(separator: "\n").map { "    " + $0 }.joined(separator: "\n"))
                """
            let configuration = try Configuration(yaml: yaml, file: "test.yaml")
            session = Session(SessionPlan(configuration.devices[0]))
        }

        @discardableResult
        mutating func callAsFunction(_ events: SessionEvent...) -> [SessionAction] {
            var actions: [SessionAction] = []
            for event in events { actions += session.handle(event) }
            log += actions
            return actions
        }

        static let everything: Set = ["temperature", "battery_level", "output"]

        mutating func becomeReady() {
            self(.bluetoothChanged(isOn: true), .started, .found, .connected, .discovered(present: Self.everything))
        }
    }

    @Test func `always: a session seeks, connects, subscribes and reads, and connects again after a loss`() throws {
        var scenario = try Scenario("connect: always")
        #expect(scenario(.bluetoothChanged(isOn: true), .started) == [.seek])
        #expect(scenario(.found) == [.connect])
        #expect(scenario(.connected) == [.stopSeeking, .discover])
        #expect(
            scenario(.discovered(present: Scenario.everything)) == [.subscribe("temperature"), .read("battery_level")])
        #expect(
            scenario(.obtained("battery_level", isNotification: false)).contains(
                .schedule(.read("battery_level"), after: .seconds(3600))))
        #expect(scenario(.connectionLost).contains(.schedule(.retry, after: .milliseconds(500))))
        #expect(scenario(.timerFired(.retry)) == [.seek])
        #expect(scenario.session.phase == .seeking)
    }

    @Test func `a subscription that fails three times causes one other connection, then it is tried seldom`() throws {
        var scenario = try Scenario("connect: always")
        let failed = SessionEvent.subscribeFailed("temperature", isFinal: false, reason: "no answer")
        scenario.becomeReady()
        for _ in 1...2 { #expect(scenario(failed) == [.schedule(.subscribe("temperature"), after: .seconds(2))]) }
        let actions = scenario(failed)
        #expect(actions.first == .reportSubscription("temperature", reason: "no answer"))
        #expect(actions.contains(.schedule(.retry, after: .seconds(1))) && actions.last == .end)
        #expect(scenario.session.reason == "cannot subscribe to temperature: no answer")
        // The second connection fails in the same way: it stays, and the failure is not reported again.
        scenario(.ended, .timerFired(.retry), .found, .connected, .discovered(present: Scenario.everything))
        scenario(.readFailed("battery_level"))
        let judgement = Presence().judge(scenario.session, next: nil, at: Instant(nanoseconds: 0))
        #expect(
            judgement.availability == Availability(state: .stale, reason: "cannot subscribe to temperature: no answer"))
        scenario(failed, failed)
        #expect(scenario(failed) == [.schedule(.subscribe("temperature"), after: .seconds(60))])
        #expect(scenario(failed) == [.schedule(.subscribe("temperature"), after: .seconds(120))])
        for _ in 1...10 { scenario(failed) }
        #expect(scenario(failed) == [.schedule(.subscribe("temperature"), after: .seconds(3600))])
        #expect(scenario.session.phase == .ready)
        scenario(.subscribed("temperature"))
        #expect(
            Presence().judge(scenario.session, next: nil, at: Instant(nanoseconds: 0)).availability.state == .online)
    }

    @Test func `a subscription that the device refuses, or that fails beside a sound one, keeps the connection`() throws
    {
        let failed = SessionEvent.subscribeFailed("temperature", isFinal: false, reason: "no answer")
        let refused = SessionEvent.subscribeFailed("temperature", isFinal: false, isAnswer: true, reason: "no answer")
        for (failure, others) in [(refused, []), (failed, [SessionEvent.subscribed("output")])] {
            var scenario = try Scenario("connect: always")
            scenario.becomeReady()
            for event in others + [.readFailed("battery_level")] { scenario(event) }
            scenario(failure, failure)
            #expect(
                scenario(failure) == [
                    .reportSubscription("temperature", reason: "no answer"),
                    .schedule(.subscribe("temperature"), after: .seconds(60)),
                ])
            #expect(scenario.session.phase == .ready)
            let judgement = Presence().judge(scenario.session, next: nil, at: Instant(nanoseconds: 0))
            #expect(judgement.availability.state == (others.isEmpty ? .stale : .online))
            #expect(judgement.availability.reason == "cannot subscribe to temperature: no answer")
        }
    }

    @Test func `a subscription that ends again and again is reported and tried seldom, until it lasts for a minute`()
        throws
    {
        var scenario = try Scenario("connect: always")
        let ended = SessionEvent.subscribeFailed("temperature", isFinal: false, reason: "the subscription ended")
        let renewed = SessionEvent.subscribed("temperature")
        scenario.becomeReady()
        scenario(.subscribed("output"))
        #expect(scenario(renewed).isEmpty)
        scenario(ended)
        #expect(scenario(renewed) == [.schedule(.subscribe("temperature"), after: .seconds(60))])
        scenario(ended, renewed)
        #expect(
            scenario(ended) == [
                .reportSubscription("temperature", reason: "the subscription ended"),
                .schedule(.subscribe("temperature"), after: .seconds(60)),
            ])
        #expect(scenario(.timerFired(.subscribe("temperature"))) == [.subscribe("temperature")])
        scenario(renewed)
        #expect(scenario(.timerFired(.subscribe("temperature"))) == [])
        #expect(scenario(ended) == [.schedule(.subscribe("temperature"), after: .seconds(2))])
    }

    @Test func `every: a session does not wait for a value whose subscription the device refuses`() throws {
        var scenario = try Scenario("connect: every 10m")
        scenario.becomeReady()
        scenario(.obtained("battery_level", isNotification: false))
        let refused = SessionEvent.subscribeFailed("temperature", isFinal: false, isAnswer: true, reason: "rejected")
        scenario(refused, refused)
        #expect(scenario(refused).contains(.collected(missing: [])))
    }

    @Test func `a read that is refused three times is reported and repeated seldom, until it succeeds`() throws {
        var scenario = try Scenario("connect: always", read: "10s")
        scenario.becomeReady()
        let refused = SessionEvent.readFailed("battery_level", refusal: "rejected")
        func next(_ seconds: Int) -> SessionAction { .schedule(.read("battery_level"), after: .seconds(seconds)) }
        #expect(scenario(refused) == [next(10)])
        #expect(scenario(refused) == [next(10)])
        #expect(scenario(refused) == [.reportRead("battery_level", reason: "rejected"), next(60)])
        #expect(scenario(refused) == [next(120)])
        #expect(scenario(.obtained("battery_level", isNotification: false)) == [next(10)])
        #expect(scenario(refused) == [next(10)])
        // A value that does not fit its format was read.
        for _ in 1...4 { #expect(scenario(.readFailed("battery_level")) == [next(10)]) }
    }

    @Test func `the sessions of many periodic devices are spread`() throws {
        let yaml =
            "devices:\n"
            + (0..<35).map { number in
                let address = Address(0xC000_0000_0100 + UInt64(number))
                return
                    "  d\(number): {address: \(address), connect: every 10m, characteristics: {temperature: {read: 1h}}}"
            }.joined(separator: "\n")
        let devices = try Configuration(yaml: yaml, file: "test.yaml").devices
        func delay(_ actions: [SessionAction]) -> Duration {
            actions.compactMap { if case .schedule(.due, let delay) = $0 { delay } else { nil } }[0]
        }
        let delays = devices.map { device in
            var session = Session(SessionPlan(device))
            return delay(session.handle(.bluetoothChanged(isOn: true)) + session.handle(.started))
        }.sorted()
        // The first sessions of 35 devices are spread too, also after Bluetooth was off.
        var firstDelays: [Duration] = []
        for device in devices {
            var session = Session(SessionPlan(device))
            let start =
                session.handle(.startsAmong(35)) + session.handle(.bluetoothChanged(isOn: true))
                + session.handle(.started)
            #expect(!start.contains(.seek))
            firstDelays.append(delay(start))
            let due = session.handle(.timerFired(.due))
            #expect(due.contains(.seek) && delay(due) >= .seconds(300) && delay(due) <= .seconds(900))
            _ = session.handle(.bluetoothChanged(isOn: false))
            #expect(delay(session.handle(.bluetoothChanged(isOn: true))) == firstDelays.last)
        }
        firstDelays.sort()
        #expect(firstDelays.last! <= .seconds(45))
        for (one, next) in zip(firstDelays, firstDelays.dropFirst()) { #expect(next - one > .milliseconds(400)) }
        // A few devices start at once.
        var few = Session(SessionPlan(devices[0]))
        _ = few.handle(.startsAmong(3)) + few.handle(.bluetoothChanged(isOn: true))
        #expect(few.handle(.started).contains(.seek))
        #expect(delays.first! >= .seconds(300) && delays.last! <= .seconds(900))
        // No two sessions begin within 5 s, and each minute has its share.
        for (one, next) in zip(delays, delays.dropFirst()) { #expect(next - one > .seconds(5)) }
        for minute in 0..<10 {
            let begin = Duration.seconds(300 + minute * 60)
            #expect((2...5).contains(delays.count { $0 >= begin && $0 < begin + .seconds(60) }))
        }
        // Later sessions keep the interval.
        var session = Session(SessionPlan(devices[0]))
        _ = session.handle(.bluetoothChanged(isOn: true)) + session.handle(.started)
        #expect(session.handle(.timerFired(.due)).contains(.schedule(.due, after: .seconds(600))))
    }

    // MARK: Losses

    /// The delays before the attempts of one minute, if each connection is lost after the events.
    private static func delays(_ keys: String, lostAfter events: [SessionEvent]) throws -> [Duration] {
        var scenario = try Scenario(keys)
        scenario(.bluetoothChanged(isOn: true), .started)
        return (1...7).map { _ in
            scenario(.found)
            for event in events { scenario(event) }
            let delays = scenario(.connectionLost).compactMap { action in
                if case .schedule(.retry, let delay) = action { delay } else { nil }
            }
            scenario(.timerFired(.retry))
            return delays.first ?? .zero
        }
    }

    @Test func `the delays grow if the connection is lost during each discovery or pairing`() throws {
        let growing = [1, 2, 4, 8, 16, 32, 60].map { Duration.seconds($0) }
        #expect(try Self.delays("connect: always", lostAfter: [.connected]) == growing)
        #expect(try Self.delays("connect: always\npair: true", lostAfter: [.connected]) == growing)
        #expect(try Self.delays("connect: always\npair: true", lostAfter: [.connected, .paired]) == growing)
    }

    @Test func `the delays grow if each connection is lost before a value arrives`() throws {
        let ready: [SessionEvent] = [
            .connected, .discovered(present: Scenario.everything), .subscribed("temperature"),
            .readFailed("battery_level"),
        ]
        let growing: [Duration] = [.milliseconds(500)] + [1, 2, 4, 8, 16, 32].map { .seconds($0) }
        #expect(try Self.delays("connect: always", lostAfter: ready) == growing)
        for sign in [SessionEvent.obtained("temperature", isNotification: true), .timerFired(.probation)] {
            #expect(
                try Self.delays("connect: always", lostAfter: ready + [sign])
                    == [Duration](repeating: .milliseconds(500), count: 7))
        }
    }

    @Test func `the delays grow if each connection is lost before the first subscription and read are answered`() throws
    {
        let growing = [1, 2, 4, 8, 16, 32, 60].map { Duration.seconds($0) }
        let ready: [SessionEvent] = [.connected, .discovered(present: Scenario.everything)]
        for answers in [[], [SessionEvent.subscribed("temperature")], [.readFailed("battery_level", refusal: "no")]] {
            #expect(try Self.delays("connect: always", lostAfter: ready + answers) == growing)
        }
        // A pairing needs a new connection: the gateway ends this one itself.
        #expect(
            try Self.delays("connect: always", lostAfter: ready + [.endsForPairing])
                == [Duration](repeating: .milliseconds(500), count: 7))
    }

    @Test func `a value forgets earlier failures, and the end of bluetoothd is no failure of the device`() throws {
        var scenario = try Scenario("connect: always")
        scenario(.bluetoothChanged(isOn: true), .started, .found, .connected, .connectionLost, .timerFired(.retry))
        #expect(scenario.session.attempts == 1)
        scenario(.found, .connected)
        scenario(.discovered(present: Scenario.everything), .subscribed("temperature"))
        #expect(scenario(.readFailed("battery_level")).contains(.schedule(.probation, after: .seconds(10))))
        #expect(scenario.session.attempts == 1)
        #expect(scenario(.obtained("temperature", isNotification: true)).contains(.cancel(.probation)))
        #expect(scenario.session.attempts == 0)
        #expect(scenario(.serviceEnded).contains(.schedule(.retry, after: .milliseconds(500))))
        scenario(.timerFired(.retry), .found, .connected)
        #expect(scenario(.serviceEnded).contains(.schedule(.retry, after: .milliseconds(500))))
        #expect(scenario.session.attempts == 0)
    }

    @Test func `a failed read is due on the next connection, a successful one is not`() throws {
        var scenario = try Scenario("connect: always")
        scenario.becomeReady()
        #expect(scenario(.readFailed("battery_level")) == [.schedule(.read("battery_level"), after: .seconds(3600))])
        let reconnect: [SessionEvent] = [
            .connectionLost, .timerFired(.retry), .found, .connected, .discovered(present: Scenario.everything),
        ]
        #expect(reconnect.flatMap { scenario($0) }.contains(.read("battery_level")))
        scenario(.obtained("battery_level", isNotification: false))
        #expect(!reconnect.flatMap { scenario($0) }.contains(.read("battery_level")))
    }

    @Test func `a read interval below 100 ms is prolonged to 100 ms`() throws {
        var scenario = try Scenario("connect: always", read: "1ms")
        scenario.becomeReady()
        #expect(
            scenario(.readFailed("battery_level")) == [.schedule(.read("battery_level"), after: .milliseconds(100))])
    }

    @Test func `a stuck connection ends, and is made again after a delay`() throws {
        var scenario = try Scenario("connect: always")
        scenario.becomeReady()
        let actions = scenario(.connectionStuck(reason: "temperature: no answer in time"))
        #expect(actions.contains(.end))
        #expect(scenario.session.phase == .ending)
        #expect(scenario.session.reason == "temperature: no answer in time")
        #expect(scenario(.ended) == [])
        #expect(scenario(.timerFired(.retry)) == [.seek])
    }

    @Test func `every: a session ends after one value of each characteristic`() throws {
        var scenario = try Scenario("connect: every 10m")
        scenario.becomeReady()
        #expect(scenario.session.missing == ["temperature", "battery_level"])
        #expect(!scenario(.obtained("battery_level", isNotification: false)).contains(.end))
        let last = scenario(.obtained("temperature", isNotification: true))
        #expect(last.contains(.collected(missing: [])))
        #expect(last.last == .end)
        #expect(scenario(.ended) == [])
        #expect(scenario.session.isAsleep)
        #expect(scenario(.timerFired(.due)).contains(.seek))
    }

    @Test func `every: a session does not wait for characteristics that are not due`() throws {
        var scenario = try Scenario("connect: every 10m")
        scenario.becomeReady()
        scenario(
            .obtained("battery_level", isNotification: false), .obtained("temperature", isNotification: true), .ended)
        scenario(.timerFired(.due))
        #expect(scenario.session.missing == ["temperature"])
    }

    @Test func `within ends an incomplete collecting session`() throws {
        var scenario = try Scenario("connect: every 10m")
        scenario.becomeReady()
        scenario(.obtained("temperature", isNotification: true))
        let actions = scenario(.timerFired(.within))
        #expect(actions.contains(.collected(missing: ["battery_level"])))
        #expect(actions.last == .end)
    }

    @Test func `an interrupted collecting session reports its cause`() throws {
        let missing: Set = ["temperature", "battery_level"]
        for (event, cause) in [
            (SessionEvent.disconnectRequested(pause: nil), "a disconnect was requested"),
            (.timerFired(.quiet), "no notification for 5m"),
            (.bluetoothChanged(isOn: false), "Bluetooth is not available"),
        ] {
            var scenario = try Scenario("connect: every 10m\nquiet: 5m")
            scenario.becomeReady()
            #expect(scenario(event).contains(.collected(missing: missing, brokenOff: cause)))
        }
    }

    @Test func `an absent device is sought for no longer than within`() throws {
        var scenario = try Scenario("connect: every 10m")
        scenario(.bluetoothChanged(isOn: true), .started)
        #expect(scenario(.timerFired(.within)).contains(.stopSeeking))
        #expect(scenario.session.phase == .idle)
        #expect(!scenario.session.isAsleep)
    }

    @Test func `a further adapter ends the delay of a retry, and starts no session that is not due`() throws {
        var scenario = try Scenario("connect: every 10m")
        scenario.becomeReady()
        scenario(.timerFired(.within), .ended)
        #expect(scenario(.bluetoothChanged(isOn: true)) == [])
        scenario(.timerFired(.due), .found, .connectFailed(reason: "the connection timed out"))
        #expect(scenario(.bluetoothChanged(isOn: true)) == [.cancel(.retry), .seek])
        #expect(scenario.session.reason == "the connection timed out")
    }

    @Test func `on demand: a session connects for a command, holds the connection, and ends it`() throws {
        var scenario = try Scenario("connect: on demand\nhold: 20s")
        scenario(.bluetoothChanged(isOn: true), .started)
        #expect(scenario.session.isAsleep)
        #expect(scenario(.commandQueued).contains(.seek))
        scenario(.found, .connected)
        #expect(scenario(.discovered(present: Scenario.everything)).contains(.executeCommands))
        #expect(scenario(.commandFinished).contains(.schedule(.hold, after: .seconds(20))))
        #expect(scenario(.timerFired(.hold)).last == .end)
        scenario(.ended)
        #expect(scenario.session.phase == .idle && scenario.session.isAsleep)
    }

    @Test func `only the owner of a shared device connects to it, and collects at once`() throws {
        for (policy, collects) in [("always", false), ("every 10m", true)] {
            var scenario = try Scenario("connect: \(policy)")
            scenario(.ownershipChanged(isOwner: false))
            #expect(!scenario(.bluetoothChanged(isOn: true), .started).contains(.seek))
            #expect(scenario(.ownershipChanged(isOwner: true)).contains(.seek))
            #expect(scenario(.ownershipChanged(isOwner: true)) == [])
            scenario(.found, .connected, .discovered(present: Scenario.everything))
            #expect((scenario.session.missing != nil) == collects)
            let end = scenario(.ownershipChanged(isOwner: false))
            #expect(end.last == .end)
            let cause = SessionAction.collected(
                missing: ["temperature", "battery_level"], brokenOff: "another gateway owns the device")
            #expect(end.contains(cause) == collects)
            #expect(scenario(.ended) == [])
            #expect(!scenario(.timerFired(.due)).contains(.seek))
        }
    }

    @Test func `an owner without the bond connects only for a command, and gives the reason`() throws {
        for policy in ["always", "every 10m"] {
            var scenario = try Scenario("connect: \(policy)")
            scenario(.ownershipChanged(isOwner: false), .bluetoothChanged(isOn: true), .started)
            scenario(.blocked(because: "bonded with attic, which is offline"))
            #expect(!scenario(.ownershipChanged(isOwner: true)).contains(.seek))
            #expect(scenario.session.explanation == "bonded with attic, which is offline")
            #expect(!scenario.session.isAsleep)
            #expect(!scenario(.timerFired(.due)).contains(.seek))
            #expect(scenario(.commandQueued).contains(.seek))
            scenario(.commandFinished)
            scenario(.blocked(because: nil))
            #expect(scenario.session.explanation == nil)
            #expect(policy != "always" || scenario.session.phase == .seeking)
        }
    }

    @Test func `a request for a connection keeps it until a command arrives or the time is over`() throws {
        var scenario = try Scenario("connect: on demand\nhold: 20s")
        scenario(.bluetoothChanged(isOn: true), .started)
        #expect(scenario(.connectionRequested(for: .seconds(2))).contains(.seek))
        scenario(.found, .connected, .discovered(present: Scenario.everything))
        #expect(scenario(.connectionRequested(for: .seconds(2))).contains(.schedule(.hold, after: .seconds(2))))
        #expect(scenario(.commandQueued).contains(.cancel(.hold)))
        #expect(
            scenario(.connectionRequested(for: .seconds(2))).allSatisfy { $0 != .schedule(.hold, after: .seconds(2)) })
        #expect(scenario(.commandFinished).contains(.schedule(.hold, after: .seconds(20))))
        scenario(.connectionRequested(for: .seconds(2)))
        #expect(scenario(.timerFired(.hold)).last == .end)
    }

    @Test func `a pause keeps the device disconnected until its end`() throws {
        var scenario = try Scenario("connect: always")
        scenario.becomeReady()
        let actions = scenario(.disconnectRequested(pause: .seconds(600)))
        #expect(
            actions == [
                .schedule(.pause, after: .seconds(600)), .stopSeeking, .cancel(.quiet), .cancel(.hold), .end,
            ])
        #expect(scenario(.ended) == [])
        #expect(scenario(.timerFired(.pause)).contains(.seek))
    }

    @Test func `a disconnected device reports "on request" until it is sought again`() throws {
        var always = try Scenario("connect: always")
        always.becomeReady()
        always(.disconnectRequested(pause: nil))
        #expect(always.session.explanation == "on request" && always.session.reason == nil)
        always(.ended)
        #expect(always.session.explanation == "on request")
        always(.commandQueued)
        #expect(always.session.explanation == nil)

        var every = try Scenario("connect: every 10m")
        every.becomeReady()
        every(.disconnectRequested(pause: nil), .ended)
        #expect(every.session.explanation == "on request")
        every(.timerFired(.due))
        #expect(every.session.explanation == nil)
    }

    @Test func `a request to disconnect without a pause ends an earlier pause`() throws {
        var scenario = try Scenario("connect: always")
        scenario.becomeReady()
        scenario(.disconnectRequested(pause: .seconds(600)), .ended)
        #expect(scenario(.disconnectRequested(pause: nil)).contains(.cancel(.pause)))
    }

    @Test func `after a request to disconnect, always waits for a command and every for its next session`() throws {
        var always = try Scenario("connect: always")
        always.becomeReady()
        #expect(always(.disconnectRequested(pause: nil)).last == .end)
        #expect(always(.ended) == [])
        #expect(always.session.isAsleep)
        #expect(always(.commandQueued).contains(.seek))

        var every = try Scenario("connect: every 10m")
        every.becomeReady()
        #expect(every(.disconnectRequested(pause: nil)).last == .end)
        #expect(every(.ended, .timerFired(.due)).contains(.seek))
    }

    @Test func `a requested collecting session ends when it is complete`() throws {
        var scenario = try Scenario("connect: on demand")
        scenario(.bluetoothChanged(isOn: true), .started)
        #expect(scenario(.collectRequested).contains(.seek))
        scenario(.found, .connected, .discovered(present: Scenario.everything))
        scenario(.obtained("battery_level", isNotification: false))
        #expect(scenario(.obtained("temperature", isNotification: true)).last == .end)
    }

    @Test func `a silent device is disconnected after quiet`() throws {
        var scenario = try Scenario("connect: always\nquiet: 1m")
        scenario.becomeReady()
        #expect(scenario.log.contains(.schedule(.quiet, after: .seconds(60))))
        #expect(scenario(.timerFired(.quiet)).last == .end)
        #expect(scenario(.ended) == [])
        #expect(scenario.session.isAsleep)
        // The device is sought again, and may be out of range by now.
        #expect(scenario(.timerFired(.retry)) == [.seek])
        #expect(!scenario.session.isAsleep)
    }

    @Test func `a command in execution restarts the time of quiet`() throws {
        var scenario = try Scenario("connect: always\nquiet: 1m")
        scenario.becomeReady()
        scenario(.commandQueued)
        #expect(scenario(.timerFired(.quiet)) == [.schedule(.quiet, after: .seconds(60))])
        scenario(.commandFinished)
        #expect(scenario(.timerFired(.quiet)).last == .end)
    }

    @Test func `the delay between retries doubles up to 60 seconds`() throws {
        var scenario = try Scenario("connect: always")
        scenario(.bluetoothChanged(isOn: true), .started)
        var delays: [Duration] = []
        for _ in 0..<9 {
            scenario(.found)
            for case .schedule(.retry, let delay) in scenario(.connectFailed(reason: "no")) { delays.append(delay) }
            scenario(.timerFired(.retry))
        }
        #expect(delays == [1, 2, 4, 8, 16, 32, 60, 60, 60].map(Duration.seconds))
    }

    @Test func `a collecting session does not wait for characteristics that the device lacks`() throws {
        var scenario = try Scenario("connect: every 10m")
        scenario(.bluetoothChanged(isOn: true), .started, .found, .connected)
        scenario(.discovered(present: ["temperature"]), .ended, .found, .connected)
        scenario(.discovered(present: ["temperature"]))
        #expect(scenario.session.missing == ["temperature"])
    }

    @Test func `a missing characteristic clears the cache once, and is then reported once`() throws {
        var scenario = try Scenario("connect: always")
        scenario(.bluetoothChanged(isOn: true), .started, .found, .connected)
        let some: Set = ["temperature", "battery_level"]
        #expect(scenario(.discovered(present: some)) == [.clearCache])
        #expect(scenario(.ended) == [.seek])
        scenario(.found, .connected)
        #expect(scenario(.discovered(present: some)).contains(.reportMissing(["output"])))
        #expect(scenario.session.phase == .ready)
        // The next connections accept that it is missing.
        scenario(.obtained("temperature", isNotification: true))
        scenario(.connectionLost, .timerFired(.retry), .found, .connected)
        #expect(scenario(.discovered(present: some)) == [.subscribe("temperature"), .read("battery_level")])
        // A characteristic that was present in between is missing for the first time again.
        scenario(.connectionLost, .timerFired(.retry), .found, .connected, .discovered(present: Scenario.everything))
        scenario(.connectionLost, .timerFired(.retry), .found, .connected)
        #expect(scenario(.discovered(present: some)) == [.clearCache])
    }

    @Test func `a characteristic that only the cache lacked is used after the cache is cleared`() throws {
        var scenario = try Scenario("connect: always")
        scenario(.bluetoothChanged(isOn: true), .started, .found, .connected, .discovered(present: []), .ended)
        scenario(.found, .connected)
        #expect(!scenario(.discovered(present: Scenario.everything)).contains { "\($0)".hasPrefix("reportMissing") })
        #expect(scenario.session.phase == .ready)
    }

    @Test func `within does not include the wait for a slot`() throws {
        var scenario = try Scenario("connect: every 10m")
        scenario(.bluetoothChanged(isOn: true), .started, .found)
        #expect(scenario(.waitingForSlot) == [.cancel(.within)])
        #expect(scenario.session.isWaitingForSlot)
        // The next session becomes due during the wait: the device keeps its place in the queue.
        #expect(scenario(.timerFired(.due)) == [.schedule(.due, after: .seconds(600))])
        #expect(scenario(.slotGranted) == [.schedule(.within, after: .seconds(30))])
        #expect(scenario(.connected).contains(.discover))
    }

    @Test(arguments: [
        SessionEvent.connected, .connectFailed(reason: "the adapter has gone"), .bondLost(reason: "keys"),
    ])
    func `within starts when the wait for a slot ends without a slot`(event: SessionEvent) throws {
        var scenario = try Scenario("connect: every 10m\npair: true")
        scenario(.bluetoothChanged(isOn: true), .started, .found, .waitingForSlot)
        #expect(scenario(event).contains(.schedule(.within, after: .seconds(30))))
        #expect(!scenario.session.isWaitingForSlot)
    }

    @Test func `a recalled slot ends the connection, and the device queues again`() throws {
        var scenario = try Scenario("connect: always")
        scenario.becomeReady()
        #expect(scenario(.slotRecalled(for: "other")).last == .end)
        #expect(scenario.session.isAsleep)
        #expect(scenario.session.explanation == "made room for other")
        #expect(scenario(.ended) == [.seek])
        #expect(!scenario.session.isAsleep)
        #expect(scenario(.found) == [.connect])
        scenario(.waitingForSlot)
        #expect(scenario.session.isAsleep)
    }

    @Test func `a recalled slot is released after the queued commands`() throws {
        var scenario = try Scenario("connect: always")
        scenario.becomeReady()
        #expect(scenario.session.priority == .background)
        scenario(.commandQueued)
        #expect(scenario.session.priority == .command)
        #expect(!scenario(.slotRecalled(for: "other")).contains(.end))
        #expect(scenario(.commandFinished).last == .end)
    }

    @Test func `a session starts again when Bluetooth is back`() throws {
        var scenario = try Scenario("connect: always")
        scenario.becomeReady()
        #expect(scenario(.bluetoothChanged(isOn: false)) == [])
        #expect(scenario.session.phase == .idle)
        #expect(scenario(.bluetoothChanged(isOn: true)) == [.seek])
    }

    @Test func `a session stops seeking when Bluetooth is switched off`() throws {
        var scenario = try Scenario("connect: on demand")
        #expect(scenario(.bluetoothChanged(isOn: true), .started, .commandQueued, .found).last == .connect)
        #expect(scenario(.bluetoothChanged(isOn: false)).contains(.stopSeeking))
    }

    @Test func `a slot that is recalled during a pairing is released after it`() throws {
        var scenario = try Scenario("connect: always\npair: true")
        scenario(.bluetoothChanged(isOn: true), .started, .found, .connected)
        #expect(!scenario(.slotRecalled(for: "other")).contains(.end))
        #expect(scenario(.paired, .discovered(present: Scenario.everything)).last == .end)
    }

    @Test func `pair, true: a session bonds before the discovery, and retries with growing delays`() throws {
        var scenario = try Scenario("connect: always\npair: true")
        #expect(scenario(.bluetoothChanged(isOn: true), .started, .found) == [.seek, .connect])
        #expect(scenario(.connected) == [.stopSeeking, .pair])
        #expect(scenario.session.phase == .pairing)
        var delays: [Duration] = []
        for _ in 0..<12 {
            let actions = scenario(.pairingFailed(reason: "refused"))
            #expect(actions.last == .end)
            for case .schedule(.retry, let delay) in actions { delays.append(delay) }
            scenario(.ended, .timerFired(.retry), .found, .connected)
        }
        #expect(delays == delays.sorted() && delays.last == .seconds(600))
        #expect(scenario(.paired).contains(.discover))
    }

    @Test func `a bond is renewed once until a connection has confirmed it`() throws {
        var scenario = try Scenario("connect: always\npair: true")
        scenario(.bluetoothChanged(isOn: true), .started, .found)
        #expect(scenario(.bondLost(reason: "keys")).last == .forgetBond)
        #expect(scenario(.ended, .found, .bondLost(reason: "keys")).last == .schedule(.retry, after: .seconds(1)))
        scenario(.timerFired(.retry), .found, .connected, .paired, .discovered(present: Scenario.everything))
        #expect(scenario(.bondRefused("temperature")) == [])
        scenario(
            .connectionLost, .timerFired(.retry), .found, .connected, .paired, .discovered(present: Scenario.everything)
        )
        // This connection refuses nothing: the bond is confirmed.
        scenario(
            .connectionLost, .timerFired(.retry), .found, .connected, .paired, .discovered(present: Scenario.everything)
        )
        #expect(scenario(.bondRefused("temperature")).last == .forgetBond)
    }

    @Test func `a new bond repeats the refused accesses, and no others`() throws {
        var scenario = try Scenario("connect: always")
        scenario.becomeReady()
        scenario(.bondRefused("temperature"), .subscribeFailed("temperature", isFinal: true, reason: "no bond"))
        #expect(scenario(.paired) == [.subscribe("temperature")])
        // An insufficient bond may be followed by another one.
        #expect(scenario(.bondRefused("temperature")) == [])
        #expect(scenario(.paired) == [.subscribe("temperature")])
        #expect(scenario(.paired) == [])
        // An access that an earlier connection refused is repeated by the new connection itself.
        scenario(.bondRefused("temperature"), .connectionLost, .timerFired(.retry), .found, .connected)
        scenario(.discovered(present: Scenario.everything))
        #expect(scenario(.paired) == [])
    }

    @Test(arguments: [false, true])
    func `a refusal that arrives after the bond is repeated once`(pair: Bool) throws {
        var scenario = try Scenario("connect: always\npair: \(pair)")
        scenario.becomeReady()
        if pair { scenario(.paired, .discovered(present: Scenario.everything)) }
        #expect(scenario(.paired) == [])
        #expect(scenario(.bondRefused("temperature")) == [.subscribe("temperature")])
        #expect(scenario(.bondRefused("battery_level")) == [.read("battery_level")])
        let actions = scenario(.bondRefused("temperature"))
        #expect(actions.contains(.forgetBond) == pair)
        #expect(actions.isEmpty == !pair)
    }

    @Test func `without pair, true a session does not renew a lost bond`() throws {
        var scenario = try Scenario("connect: always")
        scenario(.bluetoothChanged(isOn: true), .started, .found)
        #expect(scenario(.bondLost(reason: "keys")) == [.stopSeeking, .schedule(.retry, after: .seconds(1))])
        scenario(.timerFired(.retry), .found, .connected, .discovered(present: Scenario.everything))
        #expect(scenario(.bondRefused("temperature")) == [])
        #expect(scenario.session.phase == .ready)
    }

    @Test func `a stale characteristic clears the cache once`() throws {
        var scenario = try Scenario("connect: always")
        scenario.becomeReady()
        #expect(scenario(.staleServices("battery_level")).contains(.clearCache))
        scenario(.connectionLost, .ended, .found, .connected, .discovered(present: Scenario.everything))
        #expect(scenario.session.phase == .ready)
        // The device is at fault: the cache is not cleared again.
        #expect(scenario(.staleServices("battery_level")) == [.schedule(.read("battery_level"), after: .seconds(3600))])
        #expect(scenario.session.phase == .ready)
        // A characteristic that has worked in between may become stale again.
        scenario(.obtained("battery_level", isNotification: false))
        #expect(scenario(.staleServices("battery_level")).contains(.clearCache))
    }

    @Test func `a collecting session does not wait for a characteristic that stays stale`() throws {
        var scenario = try Scenario("connect: every 10m\nuntil: [temperature]")
        scenario.becomeReady()
        #expect(scenario(.staleServices("temperature")).contains(.clearCache))
        scenario(.connectionLost, .ended, .found, .connected, .discovered(present: Scenario.everything))
        #expect(scenario(.staleServices("temperature")).contains(.collected(missing: [])))
    }
}
