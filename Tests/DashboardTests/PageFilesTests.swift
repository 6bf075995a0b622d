import Foundation
import HTTP
import TestSupport
import Testing

@testable import bluefleet_dashboard

@Suite struct PageFilesTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Sources/bluefleet-dashboard/page")

    @Test func `each file of the page is part of the program`() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(Set(PageFiles.paths) == Set(names.map { $0 == "index.html" ? "/" : "/\($0)" }))
        for name in names {
            let path = name == "index.html" ? "/" : "/\(name)"
            let response = try #require(PageFiles().response(to: HTTPRequest("GET", path)))
            guard case .bytes(let bytes) = response.body else { continue }
            #expect(Data(bytes) == (try Data(contentsOf: Self.folder.appendingPathComponent(name))), "\(name)")
        }
    }

    @Test func `the page has at most 100 KB, and loads all modules at once`() throws {
        var (size, modules, preloaded): (Int, Set<String>, Set<String>) = (0, [], [])
        for path in PageFiles.paths {
            let response = try #require(PageFiles().response(to: HTTPRequest("GET", path)))
            guard case .bytes(let bytes) = response.body else { continue }
            size += bytes.count
            if path.hasSuffix(".js"), path != "/main.js" { modules.insert(String(path.dropFirst())) }
            guard path == "/" else { continue }
            let text = String(decoding: bytes, as: UTF8.self)
            preloaded = Set(text.matches(of: /rel="modulepreload" href="([a-z]+\.js)"/).map { String($0.1) })
        }
        #expect(size <= 100_000)
        #expect(preloaded == modules)
    }

    @Test func `the page reads no text as HTML or as code, and names no other host`() throws {
        let words = [
            "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "style=",
        ]
        for path in PageFiles.paths {
            let response = try #require(PageFiles().response(to: HTTPRequest("GET", path)))
            guard case .bytes(let bytes) = response.body else { continue }
            // The namespace of SVG is a name.
            let text = String(decoding: bytes, as: UTF8.self).replacing("http://www.w3.org/2000/svg", with: "")
            for word in words + ["http:", "https:", "//cdn"] { #expect(!text.contains(word), "\(path): \(word)") }
        }
    }

    @Test func `a file that the browser has is not sent again`() throws {
        let dashboard = try RunningDashboard()
        let first = try dashboard.get("/")
        let tag = try #require(first.header("ETag"))
        #expect(first.status == 200 && first.header("Cache-Control") == "no-cache" && !first.body.isEmpty)
        let second = try dashboard.get("/", "If-None-Match: \(tag)")
        #expect(second.status == 304 && second.body.isEmpty)
        #expect(second.header("Content-Security-Policy") != nil)
        for tags in ["W/\(tag)", "\"0\", W/\(tag)", "*"] {
            #expect(try dashboard.get("/", "If-None-Match: \(tags)").status == 304, "\(tags)")
        }
        #expect(try dashboard.get("/", "If-None-Match: \"0\"").status == 200)
        #expect(try dashboard.request("HEAD", "/", [], "").status == 200)
    }

    @Test(arguments: [
        "/../bluefleet.yaml", "/..%2Fbluefleet.yaml", "//etc/passwd", "/.hidden", "/index.html/", "/page.js\u{0}",
    ])
    func `files outside the folder are not served`(path: String) throws {
        let folder = try TemporaryFolderOfPage()
        #expect(PageFiles(folder: folder.path).response(to: HTTPRequest("GET", path)) == nil)
    }

    @Test func `the folder of BLUEFLEET_PAGE takes the place of the files`() throws {
        let folder = try TemporaryFolderOfPage()
        let response = try #require(PageFiles(folder: folder.path).response(to: HTTPRequest("GET", "/page.js")))
        guard case .bytes(let bytes) = response.body else { return }
        #expect(String(decoding: bytes, as: UTF8.self) == "1")
    }
}

/// A folder with `page.js` and a hidden file.
private final class TemporaryFolderOfPage {
    let path: String

    init() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, text) in [("page.js", "1"), (".hidden", "2")] {
            try text.write(to: folder.appendingPathComponent(name), atomically: true, encoding: .utf8)
        }
        path = folder.path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

extension PageFiles {
    /// The paths of the embedded files.
    fileprivate static var paths: [String] { embedded.keys.sorted() }
}
