import BenchmarkSupport
import Foundation
import TestSupport

/// The size of the program as shipped.
struct SizeExperiment: Experiment {
    let name = "size"
    let isExact = true
    private var size = Figure("stripped program", "MB", .value(atMost: 12))

    var figures: [Figure] { [size] }

    mutating func measure(_ kind: Subject.Kind, _ bench: Bench) throws {
        guard kind != .reference else { return }
        let copy = FileManager.default.temporaryDirectory.appendingPathComponent("benchmark-\(UUID())").path
        let strip = try Command("strip", ["-o", copy, bench.programs.command(of: kind)[0]])
        guard strip.wait() == .code(0) else { throw BenchmarkError("cannot strip: \(strip.output.rest())") }
        defer { try? FileManager.default.removeItem(atPath: copy) }
        let bytes = try FileManager.default.attributesOfItem(atPath: copy)[.size] as? Int
        size.add(Double(bytes ?? 0) / 1e6, of: kind)
    }
}
