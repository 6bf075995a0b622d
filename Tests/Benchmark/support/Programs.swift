package import Foundation

/// The folder in which the programs are that take part.
package struct Programs: Sendable {
    package let folder: URL

    package init(in folder: URL) {
        self.folder = folder
    }

    /// Beside this program.
    package static let ownFolder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent()

    /// The project's folder.
    package static let project = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    package var bluefleet: String { folder.appendingPathComponent("bluefleet").path }
    package var reference: String { folder.appendingPathComponent("BenchmarkReference").path }
    package var flood: String { folder.appendingPathComponent("BenchmarkFlood").path }
}
