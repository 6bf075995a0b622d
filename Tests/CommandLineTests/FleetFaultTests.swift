import Foundation
import TestSupport
import TestTraits
import Testing

/// Some rows of `Tests/FleetFaults`: five built bridges on one simulated air, with failures of the gateways and of their
/// connections to the broker.
@Suite(.ownThreads) struct FleetFaultTests {
    /// One fleet for all rows: several fleets would need more than two processors.
    ///
    /// The other tests run at the same time, so that the limit is long.
    @Test func `another gateway publishes the sensors of a failed one, and no reading is published twice`() throws {
        let rows = ["kill", "only from the broker fails", "same name twice"]
        let program = Bluefleet.project.appendingPathComponent("Tests/FleetFaults").path
        let command = try Command(
            "python3",
            [program, "--program", Bluefleet.path.path, "--limit", "900", "--rows", rows.joined(separator: ",")])
        // The output contains the standard error too, with the exception that has ended the command.
        let output = command.output.rest()
        #expect(command.wait() == .code(0), "\(output)")
        for row in rows {
            let line = output.split(separator: "\n").first { $0.hasPrefix("\(row): ") }
            #expect(line?.contains(" 0 doubled") == true, "\(row): \(output)")
        }
    }
}
