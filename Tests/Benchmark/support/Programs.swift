package import Foundation

/// The folder in which the programs are that take part.
package struct Programs: Sendable {
    package let folder: URL

    private let otherReference: [String]?
    private let otherFlood: [String]?

    /// - Parameters:
    ///   - reference: another bridge than the one in C, that takes the same arguments.
    ///   - flood: another org.bluez than the one in C, that takes the same arguments and is told the same things.
    package init(in folder: URL, reference: [String]? = nil, flood: [String]? = nil) {
        self.folder = folder
        otherReference = reference
        otherFlood = flood
    }

    /// Beside this program.
    package static let ownFolder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent()

    /// The project's folder.
    package static let project = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    package var bluefleet: String { folder.appendingPathComponent("bluefleet").path }
    /// Whether ours is measured beside the reference in C.
    package var hasOwnReference: Bool { otherReference == nil }
    /// The command for the bridge that ours is measured beside.
    package var reference: [String] { otherReference ?? [folder.appendingPathComponent("BenchmarkReference").path] }
    /// The command for the org.bluez that floods.
    package var flood: [String] { otherFlood ?? [folder.appendingPathComponent("BenchmarkFlood").path] }
}
