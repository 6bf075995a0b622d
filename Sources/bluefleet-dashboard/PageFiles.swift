import CEmbeddedFiles
import Glibc
import HTTP
import System

/// The files of the page, which are part of the program.
struct PageFiles {
    private struct File {
        let type: String
        let content: [UInt8]
        let tag: String

        init(_ name: String, _ content: [UInt8]) {
            type = PageFiles.type(of: name)
            self.content = content
            tag = "\"\(String(PageFiles.hash(content), radix: 16))\""
        }
    }

    /// The embedded files by path.
    static let embedded: [String: [UInt8]] = {
        let texts: [String: UnsafePointer<CChar>] = unsafe [
            "/": index_html(),
            "/api.js": api_js(),
            "/device.js": device_js(),
            "/devices.js": devices_js(),
            "/dom.js": dom_js(),
            "/events.js": events_js(),
            "/format.js": format_js(),
            "/gateways.js": gateways_js(),
            "/icon.svg": icon_svg(),
            "/main.js": main_js(),
            "/manifest.json": manifest_json(),
            "/nearby.js": nearby_js(),
            "/page.css": page_css(),
            "/pairing.js": pairing_js(),
            "/payload.js": payload_js(),
            "/plot.js": plot_js(),
            "/world.js": world_js(),
        ]
        return unsafe texts.mapValues { unsafe Array(String(cString: $0).utf8) }
    }()

    private let files: [String: File]
    /// The folder from which files are served in place of the embedded ones; nil: none.
    private let folder: String?

    /// - Parameter folder: The folder of the files, for work on the page; nil: the embedded files.
    init(folder: String? = nil) {
        self.folder = folder
        files = Dictionary(
            uniqueKeysWithValues: Self.embedded.map { path, content in
                (path, File(Self.name(of: path), content))
            })
    }

    /// Returns the response to a request for a file; nil if there is no such file.
    func response(to request: HTTPRequest) -> HTTPResponse? {
        let found = folder.flatMap { read(request.path, in: $0) } ?? files[request.path]
        guard let file = found else { return nil }
        let headers = [HTTPField("ETag", file.tag), HTTPField("Cache-Control", "no-cache")]
        if let known = request.header("if-none-match"), Self.matches(known, file.tag) {
            return HTTPResponse(304, headers, body: .bytes([]))
        }
        return HTTPResponse(200, [HTTPField("Content-Type", file.type)] + headers, body: .bytes(file.content))
    }

    /// Compares a tag with the tags of `If-None-Match` (RFC 9110, 13.1.2); a proxy that compresses makes a tag weak.
    private static func matches(_ known: String, _ tag: String) -> Bool {
        known.split(separator: ",").contains { entry in
            let entry = entry.drop { $0 == " " }
            return entry == "*" || (entry.hasPrefix("W/") ? entry.dropFirst(2) : entry) == tag
        }
    }

    private func read(_ path: String, in folder: String) -> File? {
        let name = Self.name(of: path)
        let isPlain = name.utf8.allSatisfy { byte in
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
        }
        guard isPlain, !name.hasPrefix(".") else { return nil }
        return (try? TextFile.bytes(of: "\(folder)/\(name)", limit: 1 << 20)).map { File(name, $0) }
    }

    private static func name(of path: String) -> String {
        path == "/" ? "index.html" : String(path.dropFirst())
    }

    private static func type(of name: String) -> String {
        switch name.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "svg": "image/svg+xml"
        case "json": "application/manifest+json"
        default: "application/octet-stream"
        }
    }

    /// The hash FNV-1a, which changes with the file.
    private static func hash(_ bytes: [UInt8]) -> UInt64 {
        bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
    }
}
