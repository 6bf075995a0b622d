import Codec
import CodecFuzzing
import Foundation
import TestSupport
import Testing

/// Random and damaged input for every decoder; `Tests/CodecFuzzer` does the same, guided by coverage.
@Suite struct FuzzTests {
    /// The number of inputs of each kind: `BLUEFLEET_FUZZ_RUNS=10000000` for a night.
    static let runs = ProcessInfo.processInfo.environment["BLUEFLEET_FUZZ_RUNS"].flatMap { Int($0) } ?? 10_000

    @Test func `random bytes neither crash nor hang, and decoded values encode`() {
        var random = SeededGenerator(seed: 1 &+ SeededGenerator.fuzzSeed)
        for _ in 0..<Self.runs {
            let count = Int.random(in: 2...40, using: &random)
            FuzzedInput.run((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
        }
    }

    @Test func `damaged vectors neither crash nor hang`() throws {
        var random = SeededGenerator(seed: 2 &+ SeededGenerator.fuzzSeed)
        let corpus = try Self.corpus
        #expect(corpus.count > 100)
        for input in corpus { FuzzedInput.run(input) }
        for _ in 0..<Self.runs {
            guard var input = corpus.randomElement(using: &random) else { return }
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let index = input.indices.randomElement(using: &random) ?? 0
                switch Int.random(in: 0...3, using: &random) {
                case 0: input[index] = UInt8.random(in: 0...255, using: &random)
                case 1: input[index] ^= 1 << UInt8.random(in: 0...7, using: &random)
                case 2 where input.count > 3: input.remove(at: index)
                default: input.insert(UInt8.random(in: 0...255, using: &random), at: index)
                }
            }
            FuzzedInput.run(input)
        }
    }

    /// The inputs with which libFuzzer reached the most code, one line of hexadecimal digits each.
    private static var corpus: [[UInt8]] {
        get throws {
            let file = Bundle.module.bundleURL.appending(path: "Vectors/corpus.txt")
            return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").compactMap {
                [UInt8](hexadecimal: $0)
            }
        }
    }
}
