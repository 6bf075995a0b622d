import Bluetooth
import Codec
import Foundation
import System
import Testing

@testable import Configuration

@Suite struct ProfileLibraryTests {
    /// A folder with a configuration and profiles of the user.
    private struct Home: ~Copyable {
        let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder()
        }

        deinit { folder.remove() }

        func profile(_ name: String, _ text: String) throws {
            let path = "\(folder.path)/profiles/\(name).yaml"
            try FileManager.default.createDirectory(
                atPath: Folder.parent(of: path), withIntermediateDirectories: true)
            try TextFile.write(text, to: path)
        }

        func configuration(_ text: String) throws -> Configuration {
            try TextFile.write(text, to: "\(folder.path)/bluefleet.yaml")
            return try Configuration(file: "\(folder.path)/bluefleet.yaml")
        }

        /// The mistakes in a configuration, without the path of the folder.
        func mistakes(in text: String) -> [String] {
            do {
                _ = try configuration(text)
                return []
            } catch let error as ConfigurationError {
                return error.mistakes.map { $0.description.replacing(folder.path + "/", with: "") }
            } catch {
                return ["\(error)"]
            }
        }
    }

    private static let lamp = """
        maker: Acme
        model: Lamp
        version: 2
        source: https://example.org
        parameters: {station: {default: 3, min: 1, max: 247, title: Modbus address}}
        profile:
          connect: every 1m
          until: [level, color]
          characteristics:
            level:
              ask: {to: FFF2, format: [{name: unit, type: uint8, value: station}]}
              answer: {from: FFF1, starts_with: [station]}
              format: ["??", {name: level, type: uint8}]
            color: {uuid: FFF3, read: on connect, format: [{name: color, type: uint8}]}
        tests:
          - {entry: level, ask: "03", answer: "0342", expect: {level: 66}, source: constructed}
        """

    @Test func `a device has the keys of a profile file, with its own keys over them`() throws {
        let home = try Home()
        try home.profile("acme/lamp", Self.lamp)
        let configuration = try home.configuration(
            "devices: {d: {address: C0:00:00:00:00:01, profile: acme/lamp, hold: 1m, characteristics: {level: {read: 5m}}}}"
        )
        let device = try #require(configuration.devices.first)
        #expect(device.connect == .every(.seconds(60)))
        #expect(device.hold == .seconds(60))
        #expect(device.characteristics.map(\.name) == ["level", "color"])
        #expect(device.characteristics[0].read == .every(.seconds(300)))
        #expect(device.label.manufacturer == "Acme" && device.label.model == "Lamp")
        #expect(configuration.usedProfiles.map(\.name) == ["acme/lamp"])
        #expect(configuration.usedProfiles.map(\.version) == [2])
    }

    @Test func `parameters have a default, which a device or a profile of the configuration can replace`() throws {
        let home = try Home()
        try home.profile("acme/lamp", Self.lamp)
        let configuration = try home.configuration(
            """
            profiles: {own: {profile: acme/lamp, with: {station: 9}}}
            devices:
              a: {address: C0:00:00:00:00:01, profile: acme/lamp}
              b: {address: C0:00:00:00:00:02, profile: own}
              c: {address: C0:00:00:00:00:03, profile: own, with: {station: 17}}
            """)
        let stations = configuration.devices.map { $0.settings.parameters["station"] }
        #expect(stations == [.number(3), .number(9), .number(17)])
    }

    @Test func `wrong parameters are reported where they are`() throws {
        let home = try Home()
        try home.profile("acme/lamp", Self.lamp)
        try home.profile("acme/bulb", Self.lamp.replacing("default: 3, ", with: ""))
        let text = """
            devices:
              a: {address: C0:00:00:00:00:01, profile: acme/lamp, with: {staton: 1}}
              b: {address: C0:00:00:00:00:02, profile: acme/lamp, with: {station: 300}}
              c: {address: C0:00:00:00:00:03, profile: acme/lamp, with: {station: one}}
              d: {address: C0:00:00:00:00:04, profile: acme/bulb}
              e: {address: C0:00:00:00:00:05, with: {now: 1}}
            """
        #expect(
            home.mistakes(in: text) == [
                "bluefleet.yaml:2:62: unknown parameter 'staton': did you mean 'station'?",
                "bluefleet.yaml:3:71: expected a number from 1 to 247, found 300",
                "bluefleet.yaml:4:71: expected a number, found 'one'",
                "bluefleet.yaml:5:44: the profile 'acme/bulb' needs the parameter station (Modbus address): add with: {station: VALUE}",
                "bluefleet.yaml:6:42: 'now' is a name of every device: rename the parameter",
            ])
    }

    @Test func `none removes a characteristic of a profile`() throws {
        let home = try Home()
        try home.profile("acme/lamp", Self.lamp)
        let configuration = try home.configuration(
            """
            profiles:
              own: {profile: acme/lamp, characteristics: {color: none}}
              again: {profile: own, characteristics: {color: {uuid: FFF4, read: 1h, format: [{name: color, type: uint8}]}}}
            devices:
              a: {address: C0:00:00:00:00:01, profile: acme/lamp, characteristics: {color: none}}
              b: {address: C0:00:00:00:00:02, profile: own}
              c: {address: C0:00:00:00:00:03, profile: again}
            """)
        let names = configuration.devices.map { $0.characteristics.map(\.name) }
        #expect(names == [["level"], ["level"], ["level", "color"]])
        #expect(configuration.devices[0].until == ["level"])
        #expect(
            home.mistakes(
                in: "devices: {a: {address: C0:00:00:00:00:01, profile: acme/lamp, characteristics: {colour: none}}}")
                == ["bluefleet.yaml:1:81: unknown characteristic of the profile 'colour': did you mean 'color'?"])
    }

    @Test func `a device that is added at run time can name a profile of the library`() throws {
        let home = try Home()
        try home.profile("acme/lamp", Self.lamp)
        let configuration = try home.configuration(
            "profiles: {own: {profile: acme/lamp, characteristics: {color: none}}}")
        let one = try configuration.device(
            named: "d", entry: #"{"address":"C0:00:00:00:00:01","profile":"acme/lamp","with":{"station":7}}"#)
        #expect(one.characteristics.map(\.name) == ["level", "color"])
        #expect(one.settings.parameters["station"] == .number(7))
        let other = try configuration.device(
            named: "d", entry: #"{"address":"C0:00:00:00:00:01","profile":"own"}"#)
        #expect(other.characteristics.map(\.name) == ["level"])
        for name in ["../../etc/passwd", "acme/../acme/lamp", "acme", "acme/lamp/x", "Acme/lamp", "/etc/passwd"] {
            #expect(throws: EntryError.self) {
                try configuration.device(
                    named: "d", entry: #"{"address":"C0:00:00:00:00:01","profile":"\#(name)"}"#)
            }
        }
    }

    @Test func `a mistake in a profile file has the place there, once for all devices`() throws {
        let home = try Home()
        try home.profile("acme/lamp", Self.lamp.replacing("to: FFF2", with: "two: FFF2"))
        let devices =
            "a: {address: C0:00:00:00:00:01, profile: acme/lamp}, b: {address: C0:00:00:00:00:02, profile: acme/lamp}"
        let mistakes = home.mistakes(in: "devices: {\(devices)}")
        #expect(mistakes.first?.hasPrefix("profiles/acme/lamp.yaml:11:") == true, "\(mistakes)")
        #expect(Set(mistakes).count == mistakes.count)
    }

    @Test func `a file that is no profile is reported`() throws {
        let home = try Home()
        try home.profile("acme/lamp", "maker: Acme\nmodel: Lamp\nversion: 1\nprofil: {}\n")
        try home.profile("acme/bulb", "maker: [")
        let mistakes = home.mistakes(
            in: """
                devices:
                  a: {address: C0:00:00:00:00:01, profile: acme/lamp}
                  b: {address: C0:00:00:00:00:02, profile: acme/bulb}
                  c: {address: C0:00:00:00:00:03, profile: acme/lamb}
                """)
        #expect(
            mistakes.contains("bluefleet.yaml:4:44: unknown profile 'acme/lamb': did you mean 'acme/lamp'?"),
            "\(mistakes)")
        #expect(mistakes.contains("profiles/acme/lamp.yaml:4:1: unknown key 'profil': did you mean 'profile'?"))
        #expect(mistakes.contains { $0.hasPrefix("profiles/acme/bulb.yaml:") })
    }

    @Test func `a profile of the user replaces the shipped one`() throws {
        let home = try Home()
        try home.profile("jbd/battery", Self.lamp)
        let configuration = try home.configuration(
            "devices: {a: {address: C0:00:00:00:00:01, profile: jbd/battery}, b: {address: C0:00:00:00:00:02, profile: daly/a5}}"
        )
        #expect(configuration.devices[0].characteristics.map(\.name) == ["level", "color"])
        #expect(configuration.usedProfiles.map(\.name) == ["daly/a5", "jbd/battery"])
        #expect(configuration.usedProfiles[0].replacedVersion == nil)
        #expect(configuration.usedProfiles[1].replacedVersion != nil)
        #expect(configuration.usedProfiles[1].path == "\(home.folder.path)/profiles/jbd/battery.yaml")
    }

    @Test func `a fleet rule can match the devices of a profile`() throws {
        let home = try Home()
        let configuration = try home.configuration(
            "fleet: [{match: {profile: jbd/battery, rssi: -80}, profile: jbd/battery}]")
        let rule = try #require(configuration.fleet.first)
        let address = try #require(Address("C0:00:00:00:00:01"))
        func isAdmitted(_ name: String, _ services: [Bluetooth.UUID], _ rssi: Int) -> Bool {
            var advertisement = Advertisement()
            (advertisement.localName, advertisement.serviceUUIDs, advertisement.rssi) = (name, services, rssi)
            return rule.device(at: address, advertising: advertisement) != nil
        }
        #expect(isAdmitted("JBD-1", [0xFF00], -70))
        #expect(!isAdmitted("JBD-1", [0xFF00], -90))
        #expect(!isAdmitted("JBD-1", [], -70))
        #expect(
            home.mistakes(in: "fleet: [{match: {profile: jbd/batery}}, {match: {profile: daly/a5}}]") == [
                "bluefleet.yaml:1:27: unknown profile 'jbd/batery': did you mean 'jbd/battery'?",
                "bluefleet.yaml:1:59: the profile 'daly/a5' does not recognize its devices: add name, services or address in place of profile",
            ])
    }

    @Test func `profiles are recognized by what a device advertises`() throws {
        let recognition = ProfileRecognition(ProfileLibrary(own: "/nonexistent"))
        let service: Bluetooth.UUID = 0xFF00
        let address = try #require(Address("C0:00:00:00:00:01"))
        func names(_ name: String?, _ services: [Bluetooth.UUID], _ companies: [UInt16] = []) -> [String] {
            recognition.proposals(for: address, name: name, services: services, companies: companies).map {
                $0.name + ($0.isCertain ? "" : "?")
            }
        }
        #expect(names("JBD-SP04", [service]) == ["jbd/battery"])
        #expect(names("JBD-SP04", []) == [])
        #expect(names("Flower care", []) == ["xiaomi/flower_care?"])
        #expect(names(nil, [], [0xD6C0]) == ["tdt/battery"])
    }
}
