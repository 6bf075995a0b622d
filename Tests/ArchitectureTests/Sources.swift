import Foundation

/// The Swift files below `Sources/`, by room.
enum Sources {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The rooms: the folders of `Sources/` that have Swift files.
    static let rooms: [String] = {
        let folders = try? FileManager.default.contentsOfDirectory(atPath: root.appending(path: "Sources").path)
        return (folders ?? []).filter { !files(in: $0).isEmpty }.sorted()
    }()

    /// Returns the Swift files of a room, at any depth.
    static func files(in room: String) -> [URL] {
        let folder = root.appending(path: "Sources/\(room)")
        let walk = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return (walk?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }
    }
}
