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

    /// Makes a program of a shell script and gives its path.
    package func program(_ script: String, named name: String) throws -> String {
        let text = try write("#!/bin/sh\n\(script)\n", to: "\(name).sh")
        // By another process: a program that some other test is just starting would hold this one's file open for writing,
        // and what is written cannot be run.
        try Command("install", ["-m", "755", text, path(name)]).wait()
        return path(name)
    }
}
