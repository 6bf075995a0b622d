import Configuration
import Foundation
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
}
