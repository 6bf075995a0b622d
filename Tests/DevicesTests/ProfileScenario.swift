import Codec
import Configuration
import JSON
import Testing

@testable import Devices

/// A test of a shipped profile: what the device sends, and the values in it.
struct ProfileScenario: Sendable, CustomTestStringConvertible {
    let profile: ShippedProfile
    let test: ProfileTest
    private let parsed: Result<Configuration.Device, any Error>

    init(_ profile: ShippedProfile, _ test: ProfileTest) {
        self.profile = profile
        self.test = test
        parsed = Result {
            let values = test.parameters.map { "\($0.name): \($0.value)" }.joined(separator: ", ")
            let configuration = try Configuration(
                yaml: """
                    devices:
                      device: {address: "C0:00:00:00:00:01", profile: \(profile.name), with: {\(values)}}
                    """)
            return try #require(configuration.devices.first)
        }
    }

    var testDescription: String { "\(profile.name) \(test.entry), line \(test.position.line)" }

    /// The library without profiles of a user.
    static let library = ProfileLibrary(own: "/nonexistent")

    /// The tests of all shipped profiles.
    static let all: [ProfileScenario] = library.names.flatMap { name -> [ProfileScenario] in
        guard let profile = try? library.profile(named: name) else { return [] }
        return profile.tests.map { ProfileScenario(profile, $0) }
    }

    /// A device with the profile.
    var device: Configuration.Device {
        get throws { try parsed.get() }
    }

    /// The characteristic of the entry; nil for a question of the key `first`.
    var characteristic: Configuration.Characteristic? {
        get throws { try device.characteristics.first { $0.name == test.entry } }
    }

    /// Whether the bytes are the value of a characteristic, without a question and without a frame.
    var isPlain: Bool {
        get throws {
            if test.entry == "first" { return false }
            return try #require(try characteristic, "no entry \(test.entry)").exchange == nil
        }
    }

    // MARK: The answer

    /// The answer of the entry, or that of the first question that is recorded here; nil: it has none.
    private func answer(_ plan: ConversationPlan) -> Configuration.Answer? {
        guard test.entry == "first" else { return plan.index(of: test.entry).flatMap { plan.items[$0].answer } }
        return plan.items.prefix(plan.firstCount).lazy.compactMap(\.answer).first
    }

    /// Whether each notification is one frame: it cannot be cut.
    func isOneNotification(_ plan: ConversationPlan) -> Bool {
        guard let answer = answer(plan), answer.method == .notification else { return true }
        return answer.frame.length == nil && answer.frame.terminator.isEmpty && answer.idle == nil
    }

    /// Whether the answer consists of several frames.
    func isSeries(_ plan: ConversationPlan) -> Bool { answer(plan)?.count != nil }

    func hasChecksum(_ plan: ConversationPlan) -> Bool { answer(plan)?.frame.check != nil }

    /// Runs the conversation of a device that answers to the question of the test with the notifications that `pieces` returns for
    /// the answer and the number of the attempt, and to all other questions as the other tests of the profile specify.
    func run(
        _ plan: ConversationPlan,
        _ pieces: @escaping ([ConversationRun.Piece], Int) -> [ConversationRun.Piece] = { pieces, _ in pieces }
    ) throws -> ConversationRun {
        let others = profile.tests.filter { $0.position != test.position }
        let (own, source) = (test, answer(plan)?.source.characteristic)
        func notifications(_ test: ProfileTest) -> [ConversationRun.Piece] {
            let entry = plan.index(of: test.entry).flatMap { plan.items[$0].answer?.source.characteristic }
            return test.answer.map { piece in
                let from = piece.source ?? entry ?? source
                return ConversationRun.Piece(bytes: piece.bytes, from: from.map { "\($0)" } ?? "")
            }
        }
        let secrets = QuestionSecrets(pin: test.pin, cipher: try device.settings.cipher?.messageCipher())
        let plain = profile.tests.filter { $0.question == nil && $0.answer.count == 1 }
        let values = Dictionary(plain.map { ($0.entry, $0.answer[0].bytes) }) { first, _ in first }
        var run = ConversationRun(plan, secrets, time: test.time, values: values) { bytes, count in
            if let other = own.others.first(where: {
                $0.question.count == bytes.count && $0.question.compare(bytes[...]) == .equal
            }) {
                return other.answer.map {
                    ConversationRun.Piece(bytes: $0.bytes, from: ($0.source ?? source).map { "\($0)" } ?? "")
                }
            }
            if own.isAsked(bytes) { return pieces(notifications(own), count) }
            return others.first { $0.isAsked(bytes) }.map(notifications) ?? []
        }
        run.connect()
        if let index = plan.index(of: test.entry) {
            if let command = test.set {
                run.handle(.requested(0, item: index, command.value))
            } else if plan.items[index].question != nil {
                run.handle(.due(index))
            } else {
                run.send(pieces(notifications(own), 1))
            }
        }
        run.run()
        return run
    }

    /// An answer of another entry, which arrives too late; empty if there is none.
    var stale: [UInt8] {
        profile.tests.first { $0.entry != test.entry && $0.entry != "first" && $0.question != nil }?.answer.first?.bytes
            ?? []
    }
}

extension ProfileTest {
    /// Returns whether bytes are the question of the test.
    func isAsked(_ bytes: [UInt8]) -> Bool {
        question.map { $0.count == bytes.count && $0.compare(bytes[...]) == .equal } ?? false
    }
}

extension ProfileTest.Command {
    var value: Value {
        switch self {
        case .value(let value): value.value
        case .fields(let fields): .record(Record(fields.map { ($0.name, $0.value.value) }))
        }
    }
}

extension ExpectedValue {
    /// Returns whether a value is the expected one.
    func matches(_ value: Value?) -> Bool {
        switch (self, value) {
        case (.null, .null?): true
        case (.number(let expected), let value?): value.number() == expected
        case (.boolean(let expected), .boolean(let found)?): expected == found
        case (.text(let expected), .string(let found)?), (.text(let expected), .named(let found, _)?): expected == found
        case (.list(let expected), .list(let found)?):
            expected.count == found.count && zip(expected, found).allSatisfy { $0.matches($1) }
        default: false
        }
    }
}
