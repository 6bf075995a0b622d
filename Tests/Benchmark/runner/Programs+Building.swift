import BenchmarkSupport
import Foundation
import TestSupport

extension Programs {
    /// Builds the bridge as it is shipped, and what it is measured with; quick when that is done already.
    ///
    /// - Returns: the folder in which they are.
    static func build() throws -> URL {
        // The folder of config/package, which builds the bridge in the same way.
        let scratch = project.appendingPathComponent(".build/package").path
        for product in ["bluefleet", "BenchmarkReference", "BenchmarkFlood"] {
            Progress.show("building \(product)")
            let build = try Command(
                "swift",
                [
                    "build", "--package-path", project.path, "--scratch-path", scratch, "-c", "release",
                    "--static-swift-stdlib", "--product", product,
                ], environment: ["BLUEFLEET_BENCHMARK": "1"])
            let output = build.waitForOutput()
            guard build.wait() == .code(0) else { throw BenchmarkError("cannot build \(product): \(output)") }
        }
        return URL(fileURLWithPath: scratch + "/release")
    }
}
