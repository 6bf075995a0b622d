import Foundation
import TestSupport
import Testing

/// One scenario with the real bluetoothd: a function of the same name in `guest/scenarios`.
struct Scenario: Sendable, CustomTestStringConvertible {
    /// The function's name with spaces.
    let name: String

    var testDescription: String { name }

    /// All scenarios, found in the Python files.
    static let all = PythonFunctions.names(
        below: "@scenario\nasync def ", in: Project.guest.appending(path: "scenarios")
    ).map { Scenario(name: $0) }
}
