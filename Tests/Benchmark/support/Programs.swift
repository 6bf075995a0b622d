package import Foundation

/// The programs of the benchmark.
package struct Programs: Sendable {
    package let folder: URL

    private let otherReference: [String]?
    private let otherFlood: [String]?

    /// - Parameters:
    ///   - folder: The folder of the built programs.
    ///   - reference: A bridge that replaces the one in C, with the same arguments.
    ///   - flood: An org.bluez that replaces the one in C, with the same arguments and commands.
    package init(in folder: URL, reference: [String]? = nil, flood: [String]? = nil) {
        self.folder = folder
        otherReference = reference
        otherFlood = flood
    }

    /// The folder of this program.
    package static let ownFolder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent()

    /// The project's folder.
    package static let project = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    package var bluefleet: String { folder.appendingPathComponent("bluefleet").path }
    /// Whether the reference is the one in C.
    package var hasOwnReference: Bool { otherReference == nil }
    /// The command of the reference.
    package var reference: [String] { otherReference ?? [folder.appendingPathComponent("BenchmarkReference").path] }
    /// The command of the org.bluez.
    package var flood: [String] { otherFlood ?? [folder.appendingPathComponent("BenchmarkFlood").path] }
}
