import Glibc
import System
import TestSupport
import Testing

@testable import Spool

/// Random schedules against the real file on a disk that loses power, is full, or fails.
///
/// After each step, the stored records are compared with a model: which records must be there, and which ones may.
@Suite struct ModelTests {
    @Test func `SpoolFile keeps each record until it is acknowledged, whatever the disk does`() async throws {
        var total = ModelRun.Totals()
        for number in 0..<FuzzRuns.count(of: "BLUEFLEET_FUZZ_SCHEDULES", default: 150) {
            let seed = SeededGenerator.fuzzSeed &* 1_000_003 &+ UInt64(number)
            var run = try ModelRun(seed: seed)
            let problem = await run.perform()
            #expect(problem == nil, "schedule \(seed): \(run.journal.suffix(12).joined(separator: "; "))")
            total.add(run.totals)
        }
        print("schedules: \(total)")
        // The schedules must contain what they are for.
        #expect(total.cuts > 100 && total.refusals > 100 && total.damages > 10 && total.dropped > 1000)
        #expect(total.expired > 100 && total.acknowledged > 1000 && total.kept > total.dropped)
    }
}

/// The number of inputs, from the environment.
enum FuzzRuns {
    static func count(of variable: String, default number: Int) -> Int {
        getenv(variable).flatMap { Int(String(cString: $0)) } ?? number
    }
}
