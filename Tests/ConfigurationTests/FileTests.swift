import Configuration
import Foundation
import Glibc
import Testing

@Suite struct FileTests {
    @Test func `a missing file is one mistake without a position`() {
        let error = #expect(throws: ConfigurationError.self) { try Configuration(file: "/nonexistent/x.yaml") }
        #expect(error?.description == "/nonexistent/x.yaml: cannot read the file: No such file or directory")
    }

    @Test func `a folder is rejected`() {
        let error = #expect(throws: ConfigurationError.self) { try Configuration(file: "/") }
        #expect(error?.description == "/: cannot read the file: Is a directory")
    }

    @Test func `the files that a configuration names are checked on request, relative to its folder`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "bluefleet-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = folder + "/bluefleet.yaml"
        try Data("mqtt: {username: me, password_file: secret}".utf8).write(to: URL(filePath: file))

        #expect(try Configuration(file: file).broker.passwordFile?.path == folder + "/secret")
        let error = #expect(throws: ConfigurationError.self) { try Configuration(file: file, checkingFiles: true) }
        #expect(error?.description == "\(file):1:37: cannot read \(folder)/secret: No such file or directory")

        try Data("x".utf8).write(to: URL(filePath: folder + "/secret"))
        #expect(throws: Never.self) { try Configuration(file: file, checkingFiles: true) }
    }

    @Test func `a folder is rejected as a password file`() {
        let problem = mistakes(in: "mqtt: {username: me, password_file: /}", checkingFiles: true)
        #expect(problem == ["1:37: cannot read /: Is a directory"])
    }

    @Test(arguments: [
        ("mqtt: {ca_file: content}", "hello", "no certificate found"),
        ("mqtt: {cert_file: certificate, key_file: content}", "hello", "no private key found"),
        (
            "mqtt: {cert_file: certificate, key_file: content}",
            "-----BEGIN ENCRYPTED PRIVATE KEY-----", "the private key has a passphrase"
        ),
        (
            "mqtt: {cert_file: certificate, key_file: content}",
            "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED", "the private key has a passphrase"
        ),
        (
            "mqtt: {username: me, password_file: content}", String(repeating: "x", count: 70_000),
            "the file is larger than 64 KiB"
        ),
        (
            "devices: {a: {address: C0:00:00:00:00:01, connect: never, key_file: content}}", "xyz",
            "expected a key of 32"
        ),
        ("devices: {a: {address: C0:00:00:00:00:01, pair: true, passkey_file: content}}", "12x", "expected six digits"),
    ])
    func `the contents of the files that a configuration names are checked on request`(
        yaml: String, content: String, problem: String
    ) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "bluefleet-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let files = [
            "bluefleet.yaml": yaml, "content": content,
            "certificate": "-----BEGIN CERTIFICATE-----\nMA==\n-----END CERTIFICATE-----\n",
        ]
        for (name, text) in files { try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(name)")) }
        let file = folder + "/bluefleet.yaml"
        #expect(throws: Never.self) { try Configuration(file: file) }
        let error = #expect(throws: ConfigurationError.self) { try Configuration(file: file, checkingFiles: true) }
        #expect(error?.mistakes.count == 1)
        #expect(error?.description.contains("\(folder)/content: \(problem)") == true)
    }

    /// Calls `body` with the path of `bluefleet.yaml` in a folder that contains these files.
    private func withFiles(_ files: [String: String], _ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "bluefleet-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, text) in files {
            let file = folder.appending(path: name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        try body(folder.appending(path: "bluefleet.yaml").path)
    }

    /// The mistakes in a file and its additions, without the folder of the file.
    private func messages(inFilesOf file: String) -> [String] {
        let error = #expect(throws: ConfigurationError.self) { try Configuration(file: file) }
        let folder = file.dropLast("bluefleet.yaml".count)
        return error?.mistakes.map { $0.description.replacing(folder, with: "") } ?? []
    }

    @Test func `the files of conf.d add devices, profiles and keys, in the order of their names`() throws {
        try withFiles([
            "bluefleet.yaml": "mqtt: {prefix: p}\ndevices:\n  a: {address: C0:00:00:00:00:01, profile: q}",
            "conf.d/b.yaml": "mqtt: {qos: 2}\ndevices: {c: {address: C0:00:00:00:00:03}}",
            "conf.d/a.yaml": "profiles: {q: {hold: 7s}}\ndevices: {b: {address: C0:00:00:00:00:02}}",
            "conf.d/.hidden.yaml": "wrong", "conf.d/notes.txt": "wrong", "conf.d/empty.yaml": "",
        ]) { file in
            let configuration = try Configuration(file: file)
            #expect(configuration.devices.map(\.name) == ["a", "b", "c"])
            #expect(configuration.devices.first?.hold == .seconds(7))
            #expect(configuration.broker.prefix == "p")
            #expect(configuration.broker.qos == 2)
        }
    }

    @Test func `a file in conf.d that ends with .yml is ignored with a warning`() throws {
        try withFiles(["bluefleet.yaml": "", "conf.d/a.yml": "wrong", "conf.d/.b.yml": ""]) { file in
            let folder = file.dropLast("bluefleet.yaml".count)
            let warnings = try Configuration(file: file).warnings.map(\.description)
            #expect(
                warnings == [
                    "\(folder)conf.d/a.yml: the file is ignored: only files with names that end with .yaml are read; rename it"
                ])
        }
    }

    @Test func `a mistake in conf.d is reported with its file, and a duplicate with both places`() throws {
        try withFiles([
            "bluefleet.yaml": "log: info\nprofiles: {p: {}}\ndevices:\n  a: {address: C0:00:00:00:00:01}",
            "conf.d/1.yaml": "log: error\nprofiles: {p: {}}\ndevices:\n  a: {address: C0:00:00:00:00:02}",
            "conf.d/2.yaml": "devices:\n  b: {address: C0:00:00:00:00:01, hold: x}",
        ]) { file in
            let folder = file.dropLast("bluefleet.yaml".count)
            #expect(
                messages(inFilesOf: file) == [
                    "conf.d/1.yaml:1:1: duplicate key 'log': the first is in bluefleet.yaml:1; remove one of them"
                        + "; or write override: true into conf.d/1.yaml",
                    "conf.d/1.yaml:2:12: duplicate key 'p': the first is in bluefleet.yaml:2; rename one of them"
                        + "; or write override: true into conf.d/1.yaml",
                    "conf.d/1.yaml:4:3: duplicate key 'a': the first is in bluefleet.yaml:4; rename one of them"
                        + "; or write override: true into conf.d/1.yaml",
                    "conf.d/2.yaml:2:16: duplicate address C0:00:00:00:00:01: device 'a' in bluefleet.yaml:4 has it; "
                        + "remove one of them",
                    "conf.d/2.yaml:2:41: expected a duration such as 30s, 10m or 1h, found 'x'",
                ])
            try Data("devices: [\n".utf8).write(to: URL(filePath: folder + "conf.d/1.yaml"))
            try Data("- a".utf8).write(to: URL(filePath: folder + "conf.d/2.yaml"))
            #expect(messages(inFilesOf: file).map { $0.prefix(15) } == ["conf.d/1.yaml:2"])
            try Data("".utf8).write(to: URL(filePath: folder + "conf.d/1.yaml"))
            #expect(
                messages(inFilesOf: file) == ["conf.d/2.yaml:1:1: expected a mapping in each document, found a list"])
        }
    }

    @Test func `a relative path is relative to the file that contains it, also in an entry of a run-time device`()
        throws
    {
        let key = String(repeating: "0", count: 32)
        try withFiles([
            "bluefleet.yaml": "", "keys/own.key": key, "conf.d/keys/shared.key": key,
            "conf.d/a.yaml": "\n\nprofiles:\n  p: {connect: never, key_file: keys/shared.key}",
        ]) { file in
            let folder = file.dropLast("bluefleet.yaml".count)
            let configuration = try Configuration(file: file, checkingFiles: true)
            let shared = try configuration.device(
                named: "x/y", entry: #"{"address": "C0:00:00:00:00:01", "profile": "p"}"#, checkingFiles: true)
            #expect(shared.keyFile?.path == "\(folder)conf.d/keys/shared.key")
            let own = try configuration.device(
                named: "x/y",
                entry: #"{"address": "C0:00:00:00:00:01", "connect": "never", "key_file": "keys/own.key"}"#,
                checkingFiles: true)
            #expect(own.keyFile?.path == "\(folder)keys/own.key")
        }
    }

    @Test func `an entry of a run-time device can only name a valid key in the folder keys`() throws {
        let key = String(repeating: "0", count: 32)
        try withFiles(["bluefleet.yaml": "", "keys/own.key": key, "keys/wrong.key": "x", "other.key": key]) { file in
            let folder = file.dropLast("bluefleet.yaml".count)
            let configuration = try Configuration(file: file)
            try #require(mkfifo("\(folder)keys/pipe", 0o600) == 0)
            func problems(_ path: String) throws -> [String] {
                let entry = #"{"address": "C0:00:00:00:00:01", "connect": "never", "key_file": "\#(path)"}"#
                do throws(EntryError) {
                    _ = try configuration.device(named: "x", entry: entry, checkingFiles: true)
                    return []
                } catch {
                    return error.problems
                }
            }
            #expect(try problems("\(folder)keys/own.key") == [])
            let names = [
                "keys/wrong.key", "keys/missing.key", "keys/pipe", "keys/", "keys/..", "other.key", "keys/../other.key",
                "missing.key",
            ]
            for name in names {
                #expect(
                    try problems(name) == [
                        "key_file: cannot use \(folder)\(name): a request can only name a readable file with a valid secret "
                            + "in \(folder)keys/"
                    ])
            }
            for path in ["/dev/ptmx", "/etc/passwd", "/etc/missing"] {
                #expect(try problems(path).first?.hasPrefix("key_file: cannot use \(path): a request can only") == true)
            }
        }
    }

    @Test func `an entry of a run-time device is checked up to the 20th mistake`() throws {
        let configuration = try Configuration(yaml: "")
        let characteristics = (0..<700).map { #""c\#($0)": {"uuid": "temperatur\#($0)", "key\#($0)": 1}"# }
        for entry in [
            #"{"address": "C0:00:00:00:00:01", "characteristics": {\#(characteristics.joined(separator: ","))}}"#,
            "{" + (0..<5000).map { "\"key\($0)\": 1" }.joined(separator: ",") + "}",
        ] {
            let error = #expect(throws: EntryError.self) { try configuration.device(named: "x", entry: entry) }
            #expect(error?.problems.count == 21)
            #expect(error?.problems.last == "20 mistakes: the rest was not checked")
        }
        let yaml = "devices: {x: {address: C0:00:00:00:00:01, characteristics: {"
        let listed = (0..<30).map { "c\($0): {uuid: \"temperatur\($0)\"}" }.joined(separator: ", ")
        #expect(ConfigurationTests.mistakes(in: yaml + listed + "}}}").count == 30)
    }

    @Test func `keys that begin with x- are ignored`() throws {
        let yaml = "x-fast: &fast {hold: 3s}\nx-fast: 1\ndevices:\n  d: {<<: *fast, address: C0:00:00:00:00:01}"
        #expect(try Configuration(yaml: yaml).devices.first?.hold == .seconds(3))
        #expect(ConfigurationTests.mistakes(in: "mqtt: {x-a: 1}").isEmpty)
    }

    @Test func `a secret that every user can read causes a warning`() throws {
        let files = [
            "bluefleet.yaml": "mqtt: {password_file: password, username: me}", "password": "x",
        ]
        try withFiles(files) { file in
            let password = file.replacing("bluefleet.yaml", with: "password")
            func warnings(mode: Int) throws -> [String] {
                try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: password)
                return try Configuration(file: file, checkingFiles: true).warnings.map(\.description)
            }
            let (open, closed) = (try warnings(mode: 0o644), try warnings(mode: 0o640))
            #expect(open == ["\(file):1:23: every user can read \(password): sudo chmod o-r \(password)"])
            #expect(closed.isEmpty)
        }
    }
}
