import JSON
import System

/// The response to the request `backup`: the configuration and the state.
struct Backup {
    let version: String
    let gateway: String
    /// The texts of the configuration files, by their paths.
    let files: [String: String]
    /// The state folder.
    let folder: String

    /// The files of the state folder that are left out: messages that wait for the broker are sent at the next start.
    private static let excluded = [UnsentMessagesStore.fileName]

    /// The response's data; files that cannot be read are left out.
    var json: JSON {
        let files = files.sorted { $0.key < $1.key }.map { ($0.key, JSON.string($0.value)) }
        let state = Folder.names(in: folder).compactMap { name -> (String, JSON)? in
            guard name.hasSuffix(".json"), !Self.excluded.contains(name) else { return nil }
            return StateFile.contents(of: "\(folder)/\(name)").map { (name, $0) }
        }
        return [
            "version": .string(version), "gateway": .string(gateway), "files": .object(JSON.Object(files)),
            "state": .object(JSON.Object(state)),
        ]
    }
}
