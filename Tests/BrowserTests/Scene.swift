import Foundation
import TestSupport
import Testing

/// One scene in the browser: a function of the same name in `page/scenes`.
struct Scene: Sendable, CustomTestStringConvertible {
    /// The function's name with spaces.
    let name: String

    var testDescription: String { name }

    /// All scenes, found in the Python files.
    static let all = PythonFunctions.names(below: "@scene\ndef ", in: Browser.program.appending(path: "scenes"))
        .map { Scene(name: $0) }
}
