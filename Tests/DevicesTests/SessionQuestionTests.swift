import Configuration
import System
import Testing

@testable import Devices

/// Sessions of a device that answers when asked.
@Suite struct SessionQuestionTests {
    private static let channel = "answers on FFF1"

    private func session(_ keys: String) throws -> Session {
        let yaml = """
            devices:
              d:
                address: C0:00:00:00:00:01
                \(keys)
                ask: {to: FFF2}
                answer: {from: FFF1}
                characteristics:
                  a: {ask: "A0", answer: {starts_with: "A0"}}
                  b: {ask: "B0", answer: {starts_with: "B0"}, read: 1m}
                  lines: {answer: {starts_with: "C0"}, subscribe: true}
                  rare: {ask: "D0", answer: {starts_with: "D0"}, read: never}
            """
        return Session(SessionPlan(try Configuration(yaml: yaml).devices[0]))
    }

    private func becomeReady(_ session: inout Session) -> [SessionAction] {
        var actions: [SessionAction] = []
        for event: SessionEvent in [
            .bluetoothChanged(isOn: true), .started, .found, .connected,
            .discovered(present: ["a", "b", "lines", "rare", Self.channel]),
        ] {
            actions = session.handle(event)
        }
        return actions
    }

    @Test func `the characteristic of the answers is subscribed once, before the questions`() throws {
        var session = try session("connect: always")
        #expect(becomeReady(&session) == [.subscribe(Self.channel), .read("a"), .read("b")])
    }

    @Test func `an answer, and a frame that was not asked for, restart the interval and the time quiet`() throws {
        var session = try session("connect: always\n    quiet: 5m")
        _ = becomeReady(&session)
        let actions = session.handle(.answered("b"))
        #expect(actions.contains(.schedule(.read("b"), after: .seconds(60))))
        #expect(actions.contains(.schedule(.quiet, after: .seconds(300))))
    }

    @Test func `a collecting session does not wait for a question without an answer, and names it`() throws {
        var session = try session("connect: every 1h\n    until: [a, b]")
        _ = becomeReady(&session)
        #expect(session.handle(.answered("a")).isEmpty)
        let last = session.handle(.unanswered("b"))
        #expect(last.contains(.collected(missing: [], unanswered: ["b"])))
        #expect(last.contains(.end))
        #expect(last.contains(.schedule(.read("b"), after: .seconds(60))))
    }

    @Test func `records prolong a collecting session, and never shorten it`() throws {
        var session = try session("connect: every 1h\n    within: 30s")
        _ = becomeReady(&session)
        #expect(session.handle(.prolonged(.seconds(300))) == [.schedule(.within, after: .seconds(300))])
        #expect(session.handle(.prolonged(.seconds(20))).isEmpty)
    }

    @Test func `without until, a session needs each answer and each subscribed frame`() throws {
        var session = try session("connect: every 1h")
        _ = becomeReady(&session)
        #expect(session.missing == ["a", "b", "lines"])
    }

    @Test func `after a refused login the next attempts wait as after a failed pairing`() throws {
        var session = try session("connect: always")
        var delays: [Duration] = []
        for _ in 1...12 {
            _ = becomeReady(&session)
            for case .schedule(.retry, let delay) in session.handle(.loginRefused(reason: "refused")) {
                delays.append(delay)
            }
            _ = session.handle(.ended)
            _ = session.handle(.timerFired(.retry))
        }
        #expect(delays.first == .seconds(1))
        #expect(delays.max() == .seconds(600))
    }
}
