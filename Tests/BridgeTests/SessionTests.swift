import BlueZ
import Configuration
import TestSupport
import Testing

@testable import Bridge

@Suite struct SessionTests {
    /// A session with the device of a configuration, and what it wanted done so far.
    struct Play {
        var session: Session
        var log: [SessionAction] = []

        init(_ keys: String) throws {
            let yaml = """
                devices:
                  sensor:
                    address: C0:00:00:00:00:01
                    characteristics:
                      temperature: {service: 181A, subscribe: true}
                      battery_level: {service: 180F, read: 1h}
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

        mutating func comeUp() {
            self(.bluetoothChanged(isOn: true), .started, .found, .connected, .discovered(present: Self.everything))
        }
    }

    @Test func `always: looks, connects, subscribes, reads, and comes back after a loss`() throws {
        var play = try Play("connect: always")
        #expect(play(.bluetoothChanged(isOn: true), .started) == [.seek])
        #expect(play(.found) == [.connect])
        #expect(play(.connected) == [.stopSeeking, .discover])
        #expect(
            play(.discovered(present: Play.everything)) == [.subscribe("temperature"), .read("battery_level")])
        #expect(
            play(.obtained("battery_level", isNotification: false)).contains(
                .schedule(.read("battery_level"), after: .seconds(3600))))
        #expect(play(.linkLost).contains(.schedule(.retry, after: .milliseconds(500))))
        #expect(play(.timerFired(.retry)) == [.seek])
        #expect(play.session.phase == .seeking)
    }

    @Test func `a read that failed is due with the next link, and what was read is not`() throws {
        var play = try Play("connect: always")
        play.comeUp()
        #expect(play(.readFailed("battery_level")) == [.schedule(.read("battery_level"), after: .seconds(3600))])
        let reconnect: [SessionEvent] = [
            .linkLost, .timerFired(.retry), .found, .connected, .discovered(present: Play.everything),
        ]
        #expect(reconnect.flatMap { play($0) }.contains(.read("battery_level")))
        play(.obtained("battery_level", isNotification: false))
        #expect(!reconnect.flatMap { play($0) }.contains(.read("battery_level")))
    }

    @Test func `a link on which nothing is answered any more is ended, and made anew after a while`() throws {
        var play = try Play("connect: always")
        play.comeUp()
        let actions = play(.linkStuck(reason: "temperature: no answer in time"))
        #expect(actions.contains(.end))
        #expect(play.session.phase == .ending)
        #expect(play.session.reason == "temperature: no answer in time")
        #expect(play(.ended) == [])
        #expect(play(.timerFired(.retry)) == [.seek])
    }

    @Test func `every: one value of each, then subscriptions and link are cancelled`() throws {
        var play = try Play("connect: every 10m")
        play.comeUp()
        #expect(play.session.missing == ["temperature", "battery_level"])
        #expect(!play(.obtained("battery_level", isNotification: false)).contains(.end))
        let last = play(.obtained("temperature", isNotification: true))
        #expect(last.contains(.collected(missing: [])))
        #expect(last.last == .end)
        #expect(play(.ended) == [])
        #expect(play.session.isAsleep)
        #expect(play(.timerFired(.due)).contains(.seek))
    }

    @Test func `every: what is not due is not waited for`() throws {
        var play = try Play("connect: every 10m")
        play.comeUp()
        play(.obtained("battery_level", isNotification: false), .obtained("temperature", isNotification: true), .ended)
        play(.timerFired(.due))
        #expect(play.session.missing == ["temperature"])
    }

    @Test func `within ends a collecting session that does not get what it needs`() throws {
        var play = try Play("connect: every 10m")
        play.comeUp()
        play(.obtained("temperature", isNotification: true))
        let actions = play(.timerFired(.within))
        #expect(actions.contains(.collected(missing: ["battery_level"])))
        #expect(actions.last == .end)
    }

    @Test func `a collecting session that is broken off is not one whose time is over`() throws {
        let missing: Set = ["temperature", "battery_level"]
        for (event, cause) in [
            (SessionEvent.letGo(pause: nil), "a disconnect was requested"),
            (.timerFired(.quiet), "nothing was notified for 5m"),
            (.bluetoothChanged(isOn: false), "Bluetooth is not available"),
        ] {
            var play = try Play("connect: every 10m\nquiet: 5m")
            play.comeUp()
            #expect(play(event).contains(.collected(missing: missing, brokenOff: cause)))
        }
    }

    @Test func `an absent device is looked for no longer than within`() throws {
        var play = try Play("connect: every 10m")
        play(.bluetoothChanged(isOn: true), .started)
        #expect(play(.timerFired(.within)).contains(.stopSeeking))
        #expect(play.session.phase == .idle)
        #expect(!play.session.isAsleep)
    }

    @Test func `one more adapter is tried at once, and begins no session that is not due`() throws {
        var play = try Play("connect: every 10m")
        play.comeUp()
        play(.timerFired(.within), .ended)
        #expect(play(.bluetoothChanged(isOn: true)) == [])
        play(.timerFired(.due), .found, .connectFailed(reason: "the connection timed out"))
        #expect(play(.bluetoothChanged(isOn: true)) == [.cancel(.retry), .seek])
        #expect(play.session.reason == "the connection timed out")
    }

    @Test func `on demand: connects for a command, holds, and lets go`() throws {
        var play = try Play("connect: on demand\nhold: 20s")
        play(.bluetoothChanged(isOn: true), .started)
        #expect(play.session.isAsleep)
        #expect(play(.demanded).contains(.seek))
        play(.found, .connected)
        #expect(play(.discovered(present: Play.everything)).contains(.serve))
        #expect(play(.demandEnded).contains(.schedule(.hold, after: .seconds(20))))
        #expect(play(.timerFired(.hold)).last == .end)
        play(.ended)
        #expect(play.session.phase == .idle && play.session.isAsleep)
    }

    @Test func `a pause keeps away until it is over`() throws {
        var play = try Play("connect: always")
        play.comeUp()
        let actions = play(.letGo(pause: .seconds(600)))
        #expect(
            actions == [
                .schedule(.pause, after: .seconds(600)), .stopSeeking, .cancel(.quiet), .cancel(.hold), .end,
            ])
        #expect(play(.ended) == [])
        #expect(play(.timerFired(.pause)).contains(.seek))
    }

    @Test func `what is let go says so until it is looked for again`() throws {
        var always = try Play("connect: always")
        always.comeUp()
        always(.letGo(pause: nil))
        #expect(always.session.explanation == "on request" && always.session.reason == nil)
        always(.ended)
        #expect(always.session.explanation == "on request")
        always(.demanded)
        #expect(always.session.explanation == nil)

        var every = try Play("connect: every 10m")
        every.comeUp()
        every(.letGo(pause: nil), .ended)
        #expect(every.session.explanation == "on request")
        every(.timerFired(.due))
        #expect(every.session.explanation == nil)
    }

    @Test func `let go for good ends an earlier pause`() throws {
        var play = try Play("connect: always")
        play.comeUp()
        play(.letGo(pause: .seconds(600)), .ended)
        #expect(play(.letGo(pause: nil)).contains(.cancel(.pause)))
    }

    @Test func `let go without a pause: always stays away, every comes back in its time`() throws {
        var always = try Play("connect: always")
        always.comeUp()
        #expect(always(.letGo(pause: nil)).last == .end)
        #expect(always(.ended) == [])
        #expect(always.session.isAsleep)
        #expect(always(.demanded).contains(.seek))

        var every = try Play("connect: every 10m")
        every.comeUp()
        #expect(every(.letGo(pause: nil)).last == .end)
        #expect(every(.ended, .timerFired(.due)).contains(.seek))
    }

    @Test func `a collecting session on request ends with what it needs`() throws {
        var play = try Play("connect: on demand")
        play(.bluetoothChanged(isOn: true), .started)
        #expect(play(.collectRequested).contains(.seek))
        play(.found, .connected, .discovered(present: Play.everything))
        play(.obtained("battery_level", isNotification: false))
        #expect(play(.obtained("temperature", isNotification: true)).last == .end)
    }

    @Test func `a silent device is let go after quiet`() throws {
        var play = try Play("connect: always\nquiet: 1m")
        play.comeUp()
        #expect(play.log.contains(.schedule(.quiet, after: .seconds(60))))
        #expect(play(.timerFired(.quiet)).last == .end)
        #expect(play(.ended) == [])
        #expect(play.session.isAsleep)
        // It is wanted again, and may have gone meanwhile.
        #expect(play(.timerFired(.retry)) == [.seek])
        #expect(!play.session.isAsleep)
    }

    @Test func `a command that is carried out when quiet is over puts that off`() throws {
        var play = try Play("connect: always\nquiet: 1m")
        play.comeUp()
        play(.demanded)
        #expect(play(.timerFired(.quiet)) == [.schedule(.quiet, after: .seconds(60))])
        play(.demandEnded)
        #expect(play(.timerFired(.quiet)).last == .end)
    }

    @Test func `failures are retried, later each time`() throws {
        var play = try Play("connect: always")
        play(.bluetoothChanged(isOn: true), .started)
        var delays: [Duration] = []
        for _ in 0..<9 {
            play(.found)
            for case .schedule(.retry, let delay) in play(.connectFailed(reason: "no")) { delays.append(delay) }
            play(.timerFired(.retry))
        }
        #expect(delays == [1, 2, 4, 8, 16, 32, 60, 60, 60].map(Duration.seconds))
    }

    @Test func `what the device does not have is not waited for`() throws {
        var play = try Play("connect: every 10m")
        play(.bluetoothChanged(isOn: true), .started, .found, .connected)
        play(.discovered(present: ["temperature"]), .ended, .found, .connected)
        play(.discovered(present: ["temperature"]))
        #expect(play.session.missing == ["temperature"])
    }

    @Test func `what is missing is looked for without the cache, reported once, and then done without`() throws {
        var play = try Play("connect: always")
        play(.bluetoothChanged(isOn: true), .started, .found, .connected)
        let some: Set = ["temperature", "battery_level"]
        #expect(play(.discovered(present: some)) == [.clearCache])
        #expect(play(.ended) == [.seek])
        play(.found, .connected)
        #expect(play(.discovered(present: some)).contains(.reportMissing(["output"])))
        #expect(play.session.phase == .ready)
        // The next links do without at once.
        play(.linkLost, .timerFired(.retry), .found, .connected)
        #expect(play(.discovered(present: some)) == [.subscribe("temperature"), .read("battery_level")])
        // What it has gained and lost again is news again.
        play(.linkLost, .timerFired(.retry), .found, .connected, .discovered(present: Play.everything))
        play(.linkLost, .timerFired(.retry), .found, .connected)
        #expect(play(.discovered(present: some)) == [.clearCache])
    }

    @Test func `what was only missing from the cache is there without it`() throws {
        var play = try Play("connect: always")
        play(.bluetoothChanged(isOn: true), .started, .found, .connected, .discovered(present: []), .ended)
        play(.found, .connected)
        #expect(!play(.discovered(present: Play.everything)).contains { "\($0)".hasPrefix("reportMissing") })
        #expect(play.session.phase == .ready)
    }

    @Test func `the wait for a slot is not the device's time`() throws {
        var play = try Play("connect: every 10m")
        play(.bluetoothChanged(isOn: true), .started, .found)
        #expect(play(.waitingForSlot) == [.cancel(.within)])
        #expect(play.session.isWaitingForSlot)
        // Due again before it had its turn: it keeps its place.
        #expect(play(.timerFired(.due)) == [.schedule(.due, after: .seconds(600))])
        #expect(play(.slotGranted) == [.schedule(.within, after: .seconds(30))])
        #expect(play(.connected).contains(.discover))
    }

    @Test(arguments: [
        SessionEvent.connected, .connectFailed(reason: "the adapter has gone"), .bondLost(reason: "keys"),
    ])
    func `what ends the wait for a slot without one gives the device its time`(event: SessionEvent) throws {
        var play = try Play("connect: every 10m\npair: true")
        play(.bluetoothChanged(isOn: true), .started, .found, .waitingForSlot)
        #expect(play(event).contains(.schedule(.within, after: .seconds(30))))
        #expect(!play.session.isWaitingForSlot)
    }

    @Test func `who is connected all the time makes room for others, and comes back`() throws {
        var play = try Play("connect: always")
        play.comeUp()
        #expect(play(.slotRecalled).last == .end)
        #expect(play.session.isAsleep)
        #expect(play(.ended) == [.seek])
        #expect(!play.session.isAsleep)
        #expect(play(.found) == [.connect])
        play(.waitingForSlot)
        #expect(play.session.isAsleep)
    }

    @Test func `a command is carried out before there is room for others`() throws {
        var play = try Play("connect: always")
        play.comeUp()
        #expect(play.session.priority == .background)
        play(.demanded)
        #expect(play.session.priority == .command)
        #expect(!play(.slotRecalled).contains(.end))
        #expect(play(.demandEnded).last == .end)
    }

    @Test func `Bluetooth off and on again starts over`() throws {
        var play = try Play("connect: always")
        play.comeUp()
        #expect(play(.bluetoothChanged(isOn: false)) == [])
        #expect(play.session.phase == .idle)
        #expect(play(.bluetoothChanged(isOn: true)) == [.seek])
    }

    @Test func `Bluetooth off while connecting: nobody is looked for any more`() throws {
        var play = try Play("connect: on demand")
        #expect(play(.bluetoothChanged(isOn: true), .started, .demanded, .found).last == .connect)
        #expect(play(.bluetoothChanged(isOn: false)).contains(.stopSeeking))
    }

    @Test func `who is asked to leave while it pairs leaves when that is done`() throws {
        var play = try Play("connect: always\npair: true")
        play(.bluetoothChanged(isOn: true), .started, .found, .connected)
        #expect(!play(.slotRecalled).contains(.end))
        #expect(play(.paired, .discovered(present: Play.everything)).last == .end)
    }

    @Test func `pair, true: a bond comes before the services, and a failure keeps off for longer each time`() throws {
        var play = try Play("connect: always\npair: true")
        #expect(play(.bluetoothChanged(isOn: true), .started, .found) == [.seek, .connect])
        #expect(play(.connected) == [.stopSeeking, .pair])
        #expect(play.session.phase == .pairing)
        var delays: [Duration] = []
        for _ in 0..<12 {
            let actions = play(.pairingFailed(reason: "refused"))
            #expect(actions.last == .end)
            for case .schedule(.retry, let delay) in actions { delays.append(delay) }
            play(.ended, .timerFired(.retry), .found, .connected)
        }
        #expect(delays == delays.sorted() && delays.last == .seconds(512))
        #expect(play(.paired).contains(.discover))
    }

    @Test func `a bond is made anew once, until it has proved to be good`() throws {
        var play = try Play("connect: always\npair: true")
        play(.bluetoothChanged(isOn: true), .started, .found)
        #expect(play(.bondLost(reason: "keys")).last == .forgetBond)
        #expect(play(.ended, .found, .bondLost(reason: "keys")).last == .schedule(.retry, after: .seconds(1)))
        play(.timerFired(.retry), .found, .connected, .paired, .discovered(present: Play.everything))
        #expect(play(.bondRefused("temperature")) == [])
        play(.linkLost, .timerFired(.retry), .found, .connected, .paired, .discovered(present: Play.everything))
        // This time nothing is refused.
        play(.linkLost, .timerFired(.retry), .found, .connected, .paired, .discovered(present: Play.everything))
        #expect(play(.bondRefused("temperature")).last == .forgetBond)
    }

    @Test func `a bond that is made on request brings what was refused for want of it, and nothing else`() throws {
        var play = try Play("connect: always")
        play.comeUp()
        play(.bondRefused("temperature"), .subscribeFailed("temperature", isFinal: true))
        #expect(play(.paired) == [.subscribe("temperature")])
        // A bond that is not good enough for it may be followed by another one.
        #expect(play(.bondRefused("temperature")) == [])
        #expect(play(.paired) == [.subscribe("temperature")])
        #expect(play(.paired) == [])
        // What was refused on an earlier link has been tried again on this one.
        play(.bondRefused("temperature"), .linkLost, .timerFired(.retry), .found, .connected)
        play(.discovered(present: Play.everything))
        #expect(play(.paired) == [])
    }

    @Test(arguments: [false, true])
    func `what was refused before there was a bond, and is told after it, is tried once more`(pair: Bool) throws {
        var play = try Play("connect: always\npair: \(pair)")
        play.comeUp()
        if pair { play(.paired, .discovered(present: Play.everything)) }
        #expect(play(.paired) == [])
        #expect(play(.bondRefused("temperature")) == [.subscribe("temperature")])
        #expect(play(.bondRefused("battery_level")) == [.read("battery_level")])
        let actions = play(.bondRefused("temperature"))
        #expect(actions.contains(.forgetBond) == pair)
        #expect(actions.isEmpty == !pair)
    }

    @Test func `without pair, true a lost bond is not touched`() throws {
        var play = try Play("connect: always")
        play(.bluetoothChanged(isOn: true), .started, .found)
        #expect(play(.bondLost(reason: "keys")) == [.stopSeeking, .schedule(.retry, after: .seconds(1))])
        play(.timerFired(.retry), .found, .connected, .discovered(present: Play.everything))
        #expect(play(.bondRefused("temperature")) == [])
        #expect(play.session.phase == .ready)
    }

    @Test func `a characteristic that the device does not know: what is remembered is cleared, once`() throws {
        var play = try Play("connect: always")
        play.comeUp()
        #expect(play(.staleServices("battery_level")).contains(.clearCache))
        play(.linkLost, .ended, .found, .connected, .discovered(present: Play.everything))
        #expect(play.session.phase == .ready)
        // It is the device that is wrong.
        #expect(play(.staleServices("battery_level")) == [.schedule(.read("battery_level"), after: .seconds(3600))])
        #expect(play.session.phase == .ready)
        // What has been well in between may go out of date again.
        play(.obtained("battery_level", isNotification: false))
        #expect(play(.staleServices("battery_level")).contains(.clearCache))
    }

    @Test func `a collecting session does not wait for what the device does not know twice`() throws {
        var play = try Play("connect: every 10m\nuntil: [temperature]")
        play.comeUp()
        #expect(play(.staleServices("temperature")).contains(.clearCache))
        play(.linkLost, .ended, .found, .connected, .discovered(present: Play.everything))
        #expect(play(.staleServices("temperature")).contains(.collected(missing: [])))
    }
}
