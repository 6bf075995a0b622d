import Configuration
import Foundation
import TestSupport
import Testing

@Suite struct MutationTests {
    /// The number of damaged files; the environment may set a larger one.
    private static let runs = ProcessInfo.processInfo.environment["BLUEFLEET_FUZZ_YAML"].flatMap { Int($0) } ?? 800

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `a damaged file is accepted, or rejected with a position inside it`(_ seed: UInt64) {
        var chance = SeededGenerator(seed: seed &+ SeededGenerator.fuzzSeed)
        let original = Array(Example.yaml.utf8)
        let alphabet = Array(" \n\t:-[]{}\"'#&*!|>%@,~?0aZ\u{e9}/+".utf8)
        for _ in 0..<Self.runs / 8 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...6, using: &chance) {
                let index = Int.random(in: bytes.indices, using: &chance)
                switch Int.random(in: 0..<4, using: &chance) {
                case 0: bytes[index] = alphabet.randomElement(using: &chance) ?? 0
                case 1: bytes.insert(alphabet.randomElement(using: &chance) ?? 0, at: index)
                case 2: bytes.removeSubrange(index..<min(index + 20, bytes.count - 1))
                default: bytes.insert(contentsOf: bytes[index..<min(index + 80, bytes.count)], at: index)
                }
            }
            let text = String(decoding: bytes, as: UTF8.self)
            let lines = text.utf8.count { $0 == UInt8(ascii: "\n") } + 1
            do throws(ConfigurationError) {
                _ = try Configuration(yaml: text)
            } catch {
                #expect(!error.mistakes.isEmpty)
                #expect(error.mistakes.allSatisfy { (1...lines + 1).contains($0.position?.line ?? 0) })
            }
        }
    }
}
