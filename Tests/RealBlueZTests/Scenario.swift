import Foundation
import Testing

/// One scenario with the real bluetoothd: a function of the same name in `guest/scenarios`.
struct Scenario: Sendable, CustomTestStringConvertible {
    /// The function's name with spaces.
    let name: String

    var testDescription: String { name }

    /// All scenarios, found in the Python files.
    static let all: [Scenario] = {
        let folder = Project.guest.appending(path: "scenarios")
        let files = try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return (files ?? []).filter { $0.pathExtension == "py" }.flatMap { file in
            let source = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
            return source.components(separatedBy: "\n@scenario\nasync def ").dropFirst().map { function in
                Scenario(name: String(function.prefix { $0 != "(" }).replacing("_", with: " "))
            }
        }
    }()
}
