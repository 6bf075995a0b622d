import System
import Testing

@testable import MQTT

@Suite struct AccessRecordTests {
    private let start = Instant(nanoseconds: 0)

    /// A broker that accepts some topics and filters and closes the connection on all others, with its client.
    private struct Trial {
        var record = AccessRecord(window: 100)
        let accepts: (Access) -> Bool
        private(set) var closes = 0
        private(set) var refused: [Access] = []

        init(_ accepts: @escaping (Access) -> Bool) {
            self.accepts = accepts
        }

        /// Sends everything in one connection without any knowledge; the broker answers up to the first forbidden one.
        mutating func flood(_ list: [Access], at now: Instant) {
            let answered = list.prefix(while: accepts).count
            guard answered < list.count else { return }
            closes += 1
            note(
                record.connectionClosed(
                    unanswered: list.dropFirst(answered).map { ($0, 0) }, hadAnswers: answered > 0, at: now))
        }

        /// Returns the different verdicts about topics and filters.
        mutating func verdicts(_ list: [Access], at now: Instant) -> Set<AccessRecord.Verdict> {
            Set(list.map { record.admit($0, at: now) })
        }

        /// Connects until a connection lasts; each connection tries all that may be tried.
        mutating func settle(_ list: [Access], at now: Instant) {
            while true {
                for access in list { _ = record.admit(access, at: now) }
                guard let cause = connect(at: now) else { return }
                closes += 1
                note(record.connectionClosed(unanswered: cause.map { ($0, 0) }, hadAnswers: false, at: now))
                if closes > 1000 { return }
            }
        }

        /// Returns the unanswered ones if the broker closes the connection.
        private mutating func connect(at now: Instant) -> [Access]? {
            while true {
                var sent: [Access] = []
                while let access = record.nextTrial(isSilent: sent.isEmpty, at: now) { sent.append(access) }
                if sent.isEmpty { return nil }
                for (index, access) in sent.enumerated() {
                    guard accepts(access) else { return Array(sent[index...]) }
                    note(record.answered(access, at: now))
                }
            }
        }

        private mutating func note(_ findings: [AccessRecord.Finding]) {
            for case .refused(let access, _) in findings { refused.append(access) }
        }
    }

    private func topics(_ names: [String]) -> [Access] { names.map { .publish(Topic(received: $0)) } }

    private let values = (1...20).map { "bluefleet/device\($0)/temperature" }

    @Test(arguments: [0, 7, 19, 20]) func `one forbidden topic is found with the second close`(place: Int) {
        var list = topics(values)
        list.insert(.publish("forbidden/topic"), at: place)
        var trial = Trial { $0.name != "forbidden/topic" }
        trial.flood(list, at: start)
        trial.settle(list, at: start)
        #expect(trial.refused == [.publish("forbidden/topic")])
        #expect(trial.closes == 2)
        #expect(trial.verdicts(topics(values), at: start) == [.accepted])
        #expect(trial.verdicts([.publish("forbidden/topic")], at: start) == [.held])
    }

    @Test func `one forbidden filter is found`() {
        let forbidden = Access.subscribe("bluefleet/+/set")
        let list = [forbidden, .subscribe("bluefleet/+/get")] + topics(values)
        var trial = Trial { $0 != forbidden }
        trial.flood(list, at: start)
        trial.settle(list, at: start)
        #expect(trial.refused == [forbidden])
        #expect(trial.closes <= 3)
    }

    @Test func `if every topic of one first level is forbidden, three of them cost a connection`() {
        let list = topics(values + (1...57).map { "homeassistant/sensor/\($0)/config" })
        var trial = Trial { !$0.name.hasPrefix("homeassistant/") }
        trial.flood(list, at: start)
        trial.settle(list, at: start)
        #expect(trial.closes == 4)
        #expect(trial.refused.count == 3)
        #expect(trial.verdicts(topics(values), at: start) == [.accepted])
    }

    @Test func `topics with the same first and last level are refused together`() {
        let list = topics(values + (1...57).map { "bluefleet/device\($0)/info" })
        var trial = Trial { !$0.name.hasSuffix("/info") }
        trial.flood(list, at: start)
        trial.settle(list, at: start)
        #expect(trial.refused.count == 3)
        // A new device is not held back.
        #expect(trial.verdicts([.publish("bluefleet/new/temperature")], at: start) == [.doubtful])
        #expect(trial.verdicts([.publish("bluefleet/new/info")], at: start) == [.held])
    }

    @Test func `the topics of one device are refused together`() {
        let names = ["temperature", "humidity", "info", "availability", "connection", "battery"]
        let list = topics(["bluefleet/bridge/attic/state"] + names.map { "bluefleet/freezer/\($0)" } + values)
        var trial = Trial { !$0.name.hasPrefix("bluefleet/freezer/") }
        trial.flood(list, at: start)
        trial.settle(list, at: start)
        #expect(trial.refused.count == 3)
        #expect(trial.verdicts(topics(values), at: start) == [.accepted])
        #expect(trial.verdicts([.publish("bluefleet/freezer/other")], at: start) == [.held])
    }

    @Test func `without any answer before, all filters can be forbidden`() throws {
        let filters = try (1...42).map { Access.subscribe(try TopicFilter("bluefleet/device\($0)/+/set")) }
        var trial = Trial { !$0.isSubscription }
        trial.flood(filters + topics(values), at: start)
        trial.settle(filters + topics(values), at: start)
        #expect(trial.closes <= 5)
        #expect(trial.verdicts(topics(values), at: start) == [.accepted])
    }

    @Test func `nothing is refused if the broker answers nothing at all`() {
        var trial = Trial { _ in false }
        trial.flood(topics(values), at: start)
        trial.settle(topics(values), at: start)
        #expect(trial.closes > 1000)
        #expect(trial.refused.isEmpty)
    }

    @Test func `a refused topic is tried again after a minute, ten minutes and each hour`() {
        let list = topics(values + ["other"])
        var trial = Trial { $0.name != "other" }
        trial.flood(list, at: start)
        var closes: [Int64] = []
        for second in stride(from: Int64(0), to: 12_000, by: 10) {
            let before = trial.closes
            trial.settle(list, at: start + .seconds(second))
            if trial.closes > before { closes.append(second) }
        }
        #expect(closes == [0, 60, 660, 4260, 7860, 11_460])
    }

    @Test func `the rest of a refused level costs a connection after delays that double up to an hour`() {
        let list = topics(values + (1...100).map { "homeassistant/sensor/\($0)/config" })
        var trial = Trial { !$0.name.hasPrefix("homeassistant/") }
        trial.flood(list, at: start)
        trial.settle(list, at: start)
        var closes: [Int64] = []
        for second in stride(from: Int64(0), to: 12_000, by: 10) {
            let before = trial.closes
            trial.settle(list, at: start + .seconds(second))
            if trial.closes > before { closes.append(second) }
        }
        #expect(closes.filter { $0 <= 300 } == [10, 30, 70, 150])
        #expect(closes.count <= 12)
    }

    @Test func `after the rules have changed, the first accepted topic releases the others`() {
        let discovery = topics((1...57).map { "homeassistant/sensor/\($0)/config" })
        var isAllowed = false
        var trial = Trial { isAllowed || !$0.name.hasPrefix("homeassistant/") }
        trial.flood(topics(values) + discovery, at: start)
        trial.settle(topics(values) + discovery, at: start)
        isAllowed = true
        let later = start + .seconds(10)
        trial.settle(discovery, at: later)
        let isReleased = trial.record.takeRelease(at: later)
        #expect(isReleased)
        trial.settle(discovery, at: later)
        #expect(trial.verdicts(discovery, at: later) == [.accepted])
    }

    @Test func `a large payload that is refused does not stop small ones on its topic`() {
        var record = AccessRecord(window: 100)
        let access = Access.publish("answer")
        _ = record.connectionClosed(unanswered: [(access, 3000)], hadAnswers: true, at: start)
        #expect(record.nextTrial(isSilent: true, at: start) == access)
        let findings = record.connectionClosed(unanswered: [(access, 3000)], hadAnswers: true, at: start)
        #expect(findings == [.refused(access, retryIn: .seconds(60))])
        #expect(record.admit(access, size: 3000, at: start) == .held)
        #expect(record.admit(access, size: 20, at: start) == .doubtful)
        #expect(record.nextTrial(isSilent: true, at: start) == access)
        #expect(record.answered(access, size: 20, at: start) == [])
        #expect(record.admit(access, size: 20, at: start) == .accepted)
        #expect(record.admit(access, size: 3000, at: start) == .held)
    }

    @Test func `a suspect is sent alone, and accepted topics follow it`() {
        var record = AccessRecord(window: 100)
        _ = record.connectionClosed(unanswered: topics(["a", "b"]).map { ($0, 0) }, hadAnswers: true, at: start)
        #expect(record.needsSilence(at: start))
        #expect(record.nextTrial(isSilent: false, at: start) == nil)
        #expect(record.nextTrial(isSilent: true, at: start) == .publish("a"))
        #expect(!record.needsSilence(at: start))
        #expect(record.nextTrial(isSilent: true, at: start) == nil)
        _ = record.answered(.publish("a"), at: start)
        #expect(record.needsSilence(at: start))
        #expect(record.nextTrial(isSilent: true, at: start) == .publish("b"))
    }

    @Test func `without suspects, the number of trials at a time grows with each answer`() {
        var record = AccessRecord(window: 5)
        _ = record.connectionClosed(unanswered: [(.publish("x"), 0)], hadAnswers: true, at: start)
        for access in topics(values) { _ = record.admit(access, at: start) }
        var sizes: [Int] = []
        while record.hasTrials {
            var sent: [Access] = []
            while let access = record.nextTrial(isSilent: sent.isEmpty, at: start) { sent.append(access) }
            sizes.append(sent.count)
            for access in sent { _ = record.answered(access, at: start) }
        }
        #expect(sizes == [1, 2, 4, 5, 5, 4])
    }

    @Test func `a record without refusals ends after a minute`() {
        var record = AccessRecord(window: 5)
        _ = record.connectionClosed(unanswered: [(.publish("a"), 0)], hadAnswers: true, at: start)
        _ = record.nextTrial(isSilent: true, at: start)
        record.forget(isSteady: true, at: start)
        #expect(record.isActive)
        _ = record.answered(.publish("a"), at: start)
        record.forget(isSteady: false, at: start)
        #expect(record.isActive)
        record.forget(isSteady: true, at: start)
        #expect(!record.isActive)
    }

    @Test func `clients that invent Response Topics cost at most ten connections`() {
        var record = AccessRecord(window: 100)
        var closes = 0
        _ = record.connectionClosed(unanswered: [(.publish("x"), 0)], hadAnswers: true, at: start)
        _ = record.nextTrial(isSilent: true, at: start)
        _ = record.answered(.publish("x"), at: start)
        for number in 1...100 {
            let access = Access.publish(Topic(received: "client\(number)/answer"))
            guard record.admit(access, canBeReplaced: true, at: start) == .doubtful else { continue }
            for _ in 1...2 {
                let now = start + .seconds(Int64(number) * 60)
                guard record.nextTrial(isSilent: true, at: now) == access else { break }
                closes += 1
                _ = record.connectionClosed(unanswered: [(access, 0)], hadAnswers: true, at: now)
            }
        }
        #expect((1...20).contains(closes))
    }
}
