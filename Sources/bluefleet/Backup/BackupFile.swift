import Codec
import Configuration
import JSON
import System

/// The contents of a backup, the response to the request `backup`.
struct BackupFile {
    /// A file of the configuration.
    struct File {
        let path: String
        let text: String
        /// The path in the folder of the configuration: `bluefleet.yaml`, `conf.d/attic.yaml`, `profiles/acme/lamp.yaml`.
        let place: String
    }

    /// The files of the configuration; the main file comes first.
    let files: [File]
    /// The names and contents of the files of the state folder.
    let state: [(name: String, json: JSON)]
    let gateway: String?
    let version: String?

    /// The largest accepted backup, in bytes.
    private static let limit = 64 << 20
    private static let depth = 80

    /// Reads a backup; `-` is standard input.
    ///
    /// - Throws: `Failure` with the status `unavailable` if the file cannot be read, `noPermission` if it may not be read,
    ///   `badData` if it is not a backup.
    init(_ path: String) throws(Failure) {
        let bytes: [UInt8]
        do throws(SystemError) {
            let source = path == "-" ? "/proc/self/fd/0" : path
            bytes = try TextFile.bytes(of: source, limit: Self.limit, waitingForPipe: .seconds(60))
        } catch {
            throw Failure(error.isPermission ? .noPermission : .unavailable, "\(error)")
        }
        let name = path.printable
        let json: JSON
        do throws(JSONError) {
            json = try JSON(parsing: bytes, limit: Self.limit, depth: Self.depth)
        } catch {
            throw Failure(.badData, "\(name) is not a backup: \(error): save the response to the request backup")
        }
        if let message = json["error"]?["message"]?.string {
            throw Failure(.badData, "\(name) is the response of a failed request: \(message)")
        }
        let data = json["data"] ?? json
        guard let files = data["files"]?.object, let state = data["state"]?.object else {
            throw Failure(
                .badData,
                "\(name) is not a backup: the members files and state are missing: save the response to the "
                    + "request backup, e.g. with mosquitto_rr")
        }
        self.files = try Self.texts(in: files, of: name)
        self.state = try Self.contents(in: state, of: name)
        gateway = data["gateway"]?.string
        version = data["version"]?.string
    }

    private static func texts(in files: JSON.Object, of name: String) throws(Failure) -> [File] {
        var texts: [File] = []
        for file in files {
            guard let text = file.value.string, !file.name.isEmpty, !file.name.utf8.contains(0) else {
                throw Failure(.badData, "\(name): the file \(file.name.quotedForMessage) has no text")
            }
            texts.append(File(path: file.name, text: text, place: place(of: file.name)))
        }
        let main = texts.filter { !$0.place.contains("/") }
        guard main.count == 1 else {
            throw Failure(
                .badData,
                "\(name) contains \(main.count) configuration files outside conf.d and profiles: expected one")
        }
        return main + texts.filter { $0.place.contains("/") }
    }

    /// Returns the path of a file in the folder of the configuration.
    private static func place(of path: String) -> String {
        let parts = path.split(separator: "/").map(String.init)
        let name = parts.last ?? path
        if parts.dropLast().last == "conf.d" { return "conf.d/\(name)" }
        let end = parts.suffix(3)
        if end.count == 3, end.first == "profiles", name.hasSuffix(".yaml"),
            ProfileLibrary.isName("\(parts[parts.count - 2])/\(name.dropLast(".yaml".count))")
        {
            return end.joined(separator: "/")
        }
        return name
    }

    private static func contents(in state: JSON.Object, of name: String) throws(Failure) -> [(name: String, json: JSON)]
    {
        var contents: [(name: String, json: JSON)] = []
        for file in state {
            // A name with a slash would be written elsewhere.
            guard file.name.hasSuffix(".json"), !file.name.contains("/"), !file.name.utf8.contains(0),
                !file.name.hasPrefix("."), file.value.object != nil
            else {
                throw Failure(.badData, "\(name): \(file.name.quotedForMessage) is not a file of the state")
            }
            contents.append((file.name, file.value))
        }
        return contents
    }
}
