import Foundation
import TestSupport
import TestTraits
import Testing

/// Some rows of `Tests/FleetFaults`: five built bridges on one simulated air, with failures of the gateways and of their
/// connections to the broker.
@Suite(.ownThreads) struct FleetFaultTests {
    @Test(arguments: ["kill", "only from the broker fails", "same name twice"])
    func `another gateway publishes the sensors of a failed one, and no reading is published twice`(row: String) throws
    {
        let program = Bluefleet.project.appendingPathComponent("Tests/FleetFaults").path
        let command = try Command(
            "python3", [program, "--program", Bluefleet.path.path, "--rows", row], output: .ownPipe)
        let output = command.output.rest()
        #expect(command.wait() == .code(0), "\(output)")
        #expect(output.contains("\(row): ") && output.contains(" 0 doubled"), "\(output)")
    }
}
