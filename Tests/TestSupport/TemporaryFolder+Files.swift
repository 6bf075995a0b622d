import EventLoop
import Foundation
import System

extension TemporaryFolder {
    /// Returns the path of a file in the folder.
    package func path(_ name: String) -> String {
        path + "/" + name
    }

    /// Writes a file into the folder, and returns its path.
    @discardableResult
    package func write(_ text: String, to name: String) throws -> String {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path(name)))
        return path(name)
    }

    /// Writes a shell script as a program, and returns its path.
    package func program(_ script: String, named name: String) throws -> String {
        let text = try write("#!/bin/sh\n\(script)\n", to: "\(name).sh")
        // Another process writes the program: a child of a concurrent test could inherit a file that this process has
        // open for writing, and Linux does not execute such a file.
        try Command("install", ["-m", "755", text, path(name)]).wait()
        return path(name)
    }
}
