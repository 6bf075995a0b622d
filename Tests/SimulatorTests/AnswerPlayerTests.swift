import Codec
import Testing

@testable import Simulator

@Suite struct AnswerPlayerTests {
    private func player(_ answers: String, seed: UInt64 = 1) throws -> AnswerPlayer {
        let fleet = try SimulatedFleet.read(
            yaml: """
                peripherals:
                  p:
                    address: C0:00:00:00:00:01
                    services: [{uuid: FFF0, characteristics: [{uuid: FFF1, flags: [notify]}, {uuid: FFF2, flags: [write], answers: [\(answers)]}]}]
                """, name: "fleet.yaml")
        let characteristic = fleet.peripherals[0].services[0].characteristics[1]
        return AnswerPlayer(characteristic.answers, seed: seed)
    }

    private func notifications(_ player: AnswerPlayer, _ question: String = "A501") -> [String]? {
        player.answer(to: [UInt8](hexadecimal: question) ?? [])?.notifications.map(\.bytes.hexadecimal)
    }

    @Test func `the first rule for a question applies, and copies its bytes`() throws {
        let player = try player("{ask: A5??, on: FFF1, send: \"5A{1}00\"}, {ask: A501, send: \"FF\"}")
        #expect(notifications(player) == ["5a0100"])
        #expect(notifications(player, "A507") == ["5a0700"])
        #expect(notifications(player, "A5") == nil)
        #expect(notifications(player, "A50101") == nil)
    }

    @Test func `answers are cut, and several messages follow each other`() throws {
        let player = try player("{ask: A501, cut: 2, send: [\"010203\", \"04\"]}")
        #expect(notifications(player) == ["0102", "03", "04"])
    }

    @Test func `a rule applies a number of times`() throws {
        let player = try player("{ask: A501, times: 2, send: \"01\"}, {ask: A501, send: \"02\"}")
        #expect([1, 2, 3].map { _ in notifications(player) } == [["01"], ["01"], ["02"]])
    }

    @Test(
        arguments: [
            ("silent", []), ("cut", ["0102"]), ("twice", ["01020304", "01020304"]), ("foreign", ["ff"]),
            ("mixed", ["01020304", "ff"]), ("late", ["01020304"]),
        ] as [(String, [String])])
    func `faults change the answer`(fault: String, expected: [String]) throws {
        let player = try player("{ask: A501, send: \"01020304\", faults: [\(fault)]}, {ask: B0, send: \"FF\"}")
        #expect(notifications(player) == expected)
    }

    @Test func `a flipped bit is one bit, and a rate is kept with the same seed`() throws {
        let rule = "{ask: A501, send: \"00000000\", faults: {flipped: 0.5}}"
        let answers = try (1...2).map { _ in
            let player = try player(rule, seed: 7)
            return (1...200).map { _ in notifications(player) ?? [] }
        }
        #expect(answers[0] == answers[1])
        let wrong = answers[0].filter { $0 != ["00000000"] }
        #expect(60...140 ~= wrong.count)
        for bytes in wrong { #expect([UInt8](hexadecimal: bytes[0])?.map(\.nonzeroBitCount).reduce(0, +) == 1) }
    }

    @Test func `a late answer is 3 s later`() throws {
        let player = try player("{ask: A501, after: 10ms, send: \"01\", faults: [late]}")
        #expect(player.answer(to: [0xA5, 0x01])?.delay == .milliseconds(3010))
    }
}
