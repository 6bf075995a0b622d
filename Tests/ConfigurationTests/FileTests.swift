import Configuration
import Foundation
import Testing

@Suite struct FileTests {
    @Test func `a file that is not there is one mistake without a place`() {
        let error = #expect(throws: ConfigurationError.self) { try Configuration(file: "/nonexistent/x.yaml") }
        #expect(error?.description == "/nonexistent/x.yaml: cannot open the file: No such file or directory")
    }

    @Test func `a folder is no file`() {
        let error = #expect(throws: ConfigurationError.self) { try Configuration(file: "/") }
        #expect(error?.description == "/: cannot read the file: Is a directory")
    }

    @Test func `files that the file names are looked for on demand, beside it`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "bluefleet-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = folder + "/bluefleet.yaml"
        try Data("mqtt: {username: me, password_file: secret}".utf8).write(to: URL(filePath: file))

        #expect(try Configuration(file: file).broker.passwordFile == folder + "/secret")
        let error = #expect(throws: ConfigurationError.self) { try Configuration(file: file, checkingFiles: true) }
        #expect(error?.description == "\(file):1:37: cannot read \(folder)/secret: No such file or directory")

        try Data("x".utf8).write(to: URL(filePath: folder + "/secret"))
        #expect(throws: Never.self) { try Configuration(file: file, checkingFiles: true) }
    }
}
