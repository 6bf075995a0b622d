package import Foundation

/// The functions of Python programs that are tests, each reported by Swift as a test of its own.
package enum PythonFunctions {
    /// Finds the functions below a decorator.
    ///
    /// - Parameters:
    ///   - head: The lines from the decorator to the name of the function, such as `@scene\ndef `.
    ///   - folder: The folder of the Python files.
    /// - Returns: The names of the functions, with spaces for underscores.
    package static func names(below head: String, in folder: URL) -> [String] {
        let files = try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return (files ?? []).filter { $0.pathExtension == "py" }.flatMap { file in
            let source = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
            return source.components(separatedBy: "\n\(head)").dropFirst().map { function in
                String(function.prefix { $0 != "(" }).replacing("_", with: " ")
            }
        }
    }
}
