import Foundation

/// A generator of reproducible random numbers (SplitMix64).
package struct SeededGenerator: RandomNumberGenerator {
    /// A number that changes the random numbers of all fuzz tests; 0 unless `BLUEFLEET_FUZZ_SEED` is set.
    package static let fuzzSeed = ProcessInfo.processInfo.environment["BLUEFLEET_FUZZ_SEED"].flatMap { UInt64($0) } ?? 0

    private var state: UInt64

    package init(seed: some BinaryInteger) {
        state = UInt64(truncatingIfNeeded: seed ^ (seed >> 64))
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
