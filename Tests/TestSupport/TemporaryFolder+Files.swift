package import EventLoop
import Foundation

extension TemporaryFolder {
    /// The path of a file in the folder.
    package func path(_ name: String) -> String {
        path + "/" + name
    }

    /// Writes a file into the folder and gives its path.
    @discardableResult
    package func write(_ text: String, to name: String) throws -> String {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path(name)))
        return path(name)
    }
}
