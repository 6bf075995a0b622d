package import Foundation

/// The programs of the benchmark.
package struct Programs: Sendable {
    package let folder: URL

    private let otherReference: [String]?
    private let otherFlood: [String]?

    /// Uses the built programs of a folder.
    ///
    /// - Parameters:
    ///   - folder: The folder of the built programs.
    ///   - reference: Another reference bridge, called with the same arguments; nil: the program written in C.
    ///   - flood: Another source of notifications that owns org.bluez, with the same arguments and commands; nil: the
    ///     program written in C.
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
