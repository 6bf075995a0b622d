import Foundation
import JSON
import System
import TestSupport
import TestTraits
import Testing

/// `bluefleet restore` with the response to the request `backup`.
@Suite(.ownThreads) struct RestoreTests {
    private final class Place {
        let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        deinit { folder.remove() }

        func text(_ name: String) -> String? { TextFile.read("\(folder.path)/\(name)") }

        func restore(_ backup: JSON, _ words: String...) throws -> Bluefleet.Outcome {
            try TextFile.write(backup.description, to: "\(folder.path)/backup.json")
            return try Bluefleet.run(["restore", "\(folder.path)/backup.json"] + words)
        }

        /// A backup of this folder with one device and one file of `conf.d`.
        func backup(device: String = "{address: C0:00:00:00:00:01}", state: JSON.Object = ["devices.json": [:]]) -> JSON
        {
            let path = folder.path
            return [
                "status": "ok",
                "data": [
                    "version": "1.0.0", "gateway": "attic",
                    "files": [
                        "\(path)/conf.d/a.yaml": .string("devices: {a: \(device)}\n"),
                        "\(path)/bluefleet.yaml": .string("state_directory: \(path)/state\n"),
                    ],
                    "state": .object(state),
                ],
            ]
        }
    }

    @Test func `a backup is written to its paths, and the old files and another state are kept`() throws {
        let place = try Place()
        let folder = place.folder.path
        try FileManager.default.createDirectory(atPath: folder + "/state", withIntermediateDirectories: true)
        try TextFile.write("log: debug\n", to: folder + "/bluefleet.yaml")
        try TextFile.write("{}", to: folder + "/state/known.json")
        let outcome = try place.restore(place.backup(state: ["devices.json": ["added": [:]]]))
        #expect(outcome.status == 0 && outcome.error == "")
        #expect(place.text("bluefleet.yaml") == "state_directory: \(folder)/state\n")
        #expect(place.text("bluefleet.yaml.before-restore") == "log: debug\n")
        #expect(place.text("conf.d/a.yaml")?.hasPrefix("devices: {a:") == true)
        #expect(place.text("state/devices.json") == "{\"added\":{}}\n")
        #expect(place.text("state/known.json") == nil && place.text("state/known.json.before-restore") == "{}")
        #expect(outcome.output.contains("wrote \(folder)/state/devices.json\n"))
        #expect(try Bluefleet.run("check", folder + "/bluefleet.yaml").output.contains("conf.d/a.yaml"))
    }

    @Test func `a bridge that runs is not disturbed`() throws {
        let place = try Place()
        let lock = try FolderLock(place.folder.path + "/state")
        defer { withExtendedLifetime(lock) {} }
        let outcome = try place.restore(place.backup())
        #expect(outcome.status == 69 && outcome.error.contains("stop that bridge"))
        #expect(place.text("bluefleet.yaml") == nil)
    }

    @Test func `nothing is written if the configuration in the backup has a mistake, or for a dry run`() throws {
        let place = try Place()
        let wrong = try place.restore(place.backup(device: "{addres: 1}"))
        #expect(wrong.status == 78 && wrong.error.contains("conf.d/a.yaml:1:"))
        let dry = try place.restore(place.backup(), "--dry-run")
        #expect(dry.status == 0 && dry.output.contains("would write \(place.folder.path)/state/devices.json"))
        #expect(place.text("bluefleet.yaml") == nil && place.text("state/devices.json") == nil)
    }

    @Test func `no file behind a link in the state folder is changed`() throws {
        let place = try Place()
        let folder = place.folder.path
        try FileManager.default.createDirectory(atPath: folder + "/state", withIntermediateDirectories: true)
        try TextFile.write("precious", to: folder + "/victim")
        try #require(symlink(folder + "/victim", folder + "/state/devices.json.new") == 0)
        let outcome = try place.restore(place.backup())
        #expect(outcome.status == 69 && outcome.error.contains("devices.json.new: it is a symbolic link: remove it"))
        #expect(place.text("victim") == "precious" && place.text("bluefleet.yaml") == nil)
    }

    @Test func `a file that is no backup, a name with a slash, and a failed request are refused`() throws {
        let place = try Place()
        #expect(try place.restore(["a": 1]).status == 65)
        let escaping = try place.restore(place.backup(state: ["../x.json": [:]]))
        #expect(escaping.status == 65 && escaping.error.contains("is not a file of the state"))
        let failed = try place.restore(["status": "error", "error": ["code": "failed", "message": "stopped"]])
        #expect(failed.status == 65 && failed.error.contains("failed request: stopped"))
        #expect(try Bluefleet.run("restore", "/nonexistent.json").status == 69)
    }

    @Test func `a profile of the user is restored, and used for the check`() throws {
        let place = try Place()
        let folder = place.folder.path
        let profile = """
            maker: Acme
            model: Lamp
            version: 1
            profile: {connect: on demand, characteristics: {level: {service: FFF0, uuid: FFF1, format: [{name: level, type: uint8}]}}}
            """
        let backup: JSON = [
            "files": [
                "\(folder)/bluefleet.yaml": .string(
                    "state_directory: \(folder)/state\n"
                        + "devices: {a: {address: C0:00:00:00:00:01, profile: acme/lamp}}\n"),
                "\(folder)/profiles/acme/lamp.yaml": .string(profile),
            ], "state": [:],
        ]
        let other = folder + "/other"
        let restored = try place.restore(backup, "--to", other)
        #expect(restored.status == 0, "\(restored.error)")
        #expect(place.text("other/profiles/acme/lamp.yaml") == profile)
        let check = try Bluefleet.run("check", other + "/bluefleet.yaml")
        #expect(check.output.contains("acme/lamp (version 1)"), "\(check.output)\(check.error)")
        #expect(try place.restore(backup).status == 0)
        #expect(place.text("profiles/acme/lamp.yaml") == profile)
    }

    @Test func `another folder gets the configuration`() throws {
        let place = try Place()
        let other = place.folder.path + "/other"
        #expect(try place.restore(place.backup(), "--to", other).status == 0)
        #expect(place.text("other/bluefleet.yaml") != nil && place.text("other/conf.d/a.yaml") != nil)
    }
}
