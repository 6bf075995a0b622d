import Codec
import Configuration
import JSON
import System
import Testing

@testable import Devices

/// The tests of all shipped profiles, with faults on the way of the answers.
@Suite struct ConversationTests {
    private static let asked = ProfileScenario.all.filter { (try? $0.isPlain) == false }
    private static let plain = ProfileScenario.all.filter { (try? $0.isPlain) == true }

    private func plan(_ scenario: ProfileScenario) throws -> ConversationPlan {
        try #require(ConversationPlan(try scenario.device.settings))
    }

    /// Checks that each delivered reading of the entry has the expected values; returns whether there is one.
    @discardableResult
    private func check(_ run: ConversationRun, _ scenario: ProfileScenario) throws -> Bool {
        var readings: [(item: Int, reading: Reading)] = []
        for (delivery, asked) in zip(run.delivered, run.questions) {
            let item = run.plan.items[delivery.item]
            guard item.name == scenario.test.entry else { continue }
            // The answers to the other numbers of a series belong to other tests.
            let isOther = item.question?.series != nil && asked.map { !scenario.test.isAsked($0) } ?? true
            if !isOther { readings.append((delivery.item, delivery.reading)) }
        }
        if case .success(let answer)? = run.responses[0], let reading = answer.reading {
            readings.append((answer.item, reading))
        }
        // Of the records of a history, the first one has the expected values.
        if let record = run.records.first {
            guard case .values(let expected) = scenario.test.expectation else { return true }
            for value in expected {
                let found = record.reading[field: value.name] ?? record.reading.value
                #expect(value.value.matches(found), "\(value.name): \(found)")
            }
            return true
        }
        guard case .values(let expected) = scenario.test.expectation else { return !readings.isEmpty }
        for (item, reading) in readings {
            let members = try #require(run.plan.items[item].format).members(of: reading)
            for value in expected {
                let found = members[value.name]
                #expect(value.value.matches(found), "\(value.name): \(found?.description ?? "nothing")")
            }
        }
        return !readings.isEmpty
    }

    /// Checks the result of the question of a test without faults.
    private func checkResult(_ run: ConversationRun, _ scenario: ProfileScenario) throws {
        let test = scenario.test
        if let question = test.question {
            #expect(
                run.written.contains { question.count == $0.count && question.compare($0[...]) == .equal },
                "not asked: \(run.written.map(\.hexadecimal)), \(run.reports)")
        }
        let isDelivered = try check(run, scenario)
        switch test.expectation {
        case .values: #expect(isDelivered, "\(run.reports)")
        case .failure: #expect(!isDelivered && (!run.reports.isEmpty || !run.endings.isEmpty))
        case .nothing:
            #expect(run.endings.isEmpty, "\(run.endings)")
            if test.set != nil {
                guard case .success? = run.responses[0] else {
                    Issue.record("\(run.responses)")
                    return
                }
            }
        }
    }

    /// Whether the device sends the frames of the entry unasked: what is missing is not reported.
    private func isListener(_ scenario: ProfileScenario, _ plan: ConversationPlan) -> Bool {
        plan.index(of: scenario.test.entry).map { plan.items[$0].question == nil } ?? false
    }

    @Test(arguments: asked)
    func `a question of a profile has its answer`(scenario: ProfileScenario) throws {
        try checkResult(try scenario.run(try plan(scenario)), scenario)
    }

    private func isUnanswered(_ result: Result<QuestionAnswer, QuestionFailure>?) -> Bool {
        switch result {
        case .failure(.timeout), .failure(.unrecognized): true
        default: false
        }
    }

    @Test(arguments: asked.filter(\.hasValues), AnswerFault.allCases)
    func `an answer gives its values in spite of a fault`(scenario: ProfileScenario, fault: AnswerFault) throws {
        let plan = try plan(scenario)
        guard fault.keepsNotifications || !scenario.isOneNotification(plan) else { return }
        guard scenario.hasChecksum(plan) || fault.isNoticed else { return }
        let stale = scenario.stale
        let run = try scenario.run(plan) { fault.pieces($0, attempt: $1, stale: stale) }
        let isDelivered = try check(run, scenario)
        if fault.needsSecondAttempt, isListener(scenario, plan) { return }
        if scenario.test.set != nil, fault.needsSecondAttempt || fault == .late {
            #expect(isUnanswered(run.responses[0]), "\(run.responses)")
        } else {
            #expect(isDelivered, "\(run.reports)")
        }
    }

    @Test(arguments: asked.filter(\.hasValues))
    func `an answer gives its values wherever it is cut`(scenario: ProfileScenario) throws {
        let plan = try plan(scenario)
        guard !scenario.isOneNotification(plan) else { return }
        let longest = scenario.test.answer.map(\.bytes.count).max() ?? 0
        for position in 1..<max(longest, 2) {
            let run = try scenario.run(plan) { pieces, _ in pieces.flatMap { $0.cut(at: position) } }
            #expect(try check(run, scenario), "cut at \(position)")
        }
    }

    @Test(arguments: asked.filter(\.hasValues))
    func `an answer that always lacks its last byte gives no value`(scenario: ProfileScenario) throws {
        let plan = try plan(scenario)
        // More frames can follow a series, whose number of frames is known.
        guard scenario.hasChecksum(plan), !scenario.isSeries(plan) else { return }
        let run = try scenario.run(plan) { pieces, _ in
            pieces.map { ConversationRun.Piece(bytes: Array($0.bytes.dropLast()), from: $0.from) }
        }
        #expect(try !check(run, scenario) && (isListener(scenario, plan) || !run.reports.isEmpty))
    }

    @Test(arguments: asked.filter(\.hasValues))
    func `a device that sends bytes without end gives no value`(scenario: ProfileScenario) throws {
        let plan = try plan(scenario)
        guard scenario.hasChecksum(plan) else { return }
        let run = try scenario.run(plan) { pieces, _ in
            (0..<250).map { index in
                ConversationRun.Piece(
                    bytes: (0..<20).map { UInt8(truncatingIfNeeded: index * 7 + $0 * 13) }, from: pieces[0].from,
                    after: .milliseconds(50))
            }
        }
        #expect(try !check(run, scenario) && (isListener(scenario, plan) || !run.reports.isEmpty))
    }

    @Test(arguments: plain)
    func `a value of a profile is decoded`(scenario: ProfileScenario) throws {
        let characteristic = try #require(try scenario.characteristic)
        let format = try #require(characteristic.meaning)
        let bytes = try #require(scenario.test.answer.first).bytes
        let reading: Reading
        do throws(DecodingError) {
            reading = try format.decode(bytes)
            if let valid = characteristic.valid { try reading.check(valid, in: format) }
        } catch {
            guard case .failure = scenario.test.expectation else { throw error }
            return
        }
        guard case .values(let expected) = scenario.test.expectation else {
            Issue.record("the value is decoded: \(reading)")
            return
        }
        let members = format.members(of: reading)
        for value in expected {
            let found = members[value.name]
            #expect(value.value.matches(found), "\(value.name): \(found?.description ?? "nothing")")
        }
    }
}

extension ProfileScenario {
    /// Whether the answer has expected values.
    fileprivate var hasValues: Bool {
        if case .values = test.expectation { true } else { false }
    }
}
