import Configuration
import Foundation
import Testing

/// Files and environment variables that replace keys, profiles that use profiles, and `{gateway}`.
@Suite struct OverrideTests {
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

    @Test func `a file of conf.d with override: true replaces keys one by one`() throws {
        try withFiles([
            "bluefleet.yaml": """
            log: info
            mqtt: {prefix: p, qos: 2}
            devices: {a: {address: C0:00:00:00:00:01, hold: 5s, title: A}}
            fleet: [{match: {name: x}}]
            """,
            "conf.d/1.yaml": """
            override: true
            log: debug
            mqtt: {qos: 0}
            devices: {a: {hold: 7s, title: ~}, b: {address: C0:00:00:00:00:02}}
            fleet: []
            """,
            "conf.d/2.yaml": "override: false\ndevices: {c: {address: C0:00:00:00:00:03}}",
        ]) { file in
            let configuration = try Configuration(file: file)
            #expect(configuration.logLevel == .debug)
            #expect(configuration.broker.prefix == "p" && configuration.broker.qos == 0)
            #expect(configuration.devices.map(\.name) == ["a", "b", "c"])
            #expect(configuration.devices[0].hold == .seconds(7) && configuration.devices[0].label.title == nil)
            #expect(configuration.fleet.isEmpty)
        }
    }

    @Test func `a mistake in a file that overrides is reported there, and override elsewhere is refused`() throws {
        try withFiles(["bluefleet.yaml": "mqtt: {qos: 2}", "conf.d/1.yaml": "override: true\nmqtt: {qos: 3}"]) { file in
            let error = #expect(throws: ConfigurationError.self) { try Configuration(file: file) }
            #expect(error?.description.contains("conf.d/1.yaml:2:13: expected a number from 0 to 2") == true)
        }
        try withFiles(["bluefleet.yaml": "", "conf.d/1.yaml": "override: 1"]) { file in
            let error = #expect(throws: ConfigurationError.self) { try Configuration(file: file) }
            #expect(error?.description.contains("1:11: override: expected true or false") == true)
        }
        #expect(mistakes(in: "override: true").first?.contains("only files conf.d/*.yaml") == true)
    }

    @Test func `environment variables replace keys of all files`() throws {
        try withFiles(["bluefleet.yaml": "mqtt: {url: mqtt://a, qos: 2}", "conf.d/1.yaml": "log: debug"]) { file in
            let configuration = try Configuration(
                file: file,
                environment: [
                    "BLUEFLEET_MQTT_URL": "mqtts://b:1", "BLUEFLEET_LOG": "error", "BLUEFLEET_GATEWAY": "pod-1",
                    "BLUEFLEET_MQTT_PREFIX": "site/{gateway}", "BLUEFLEET_MQTT_USERNAME": "", "HOME": "/root",
                    "BLUEFLEET_BLUETOOTH_ADAPTERS": "[\"B8:27:EB:12:34:56\"]",
                ])
            #expect(configuration.broker.nodes.url == "mqtts://b:1" && configuration.broker.qos == 2)
            #expect(configuration.logLevel == .error && configuration.gateway == "pod-1")
            #expect(configuration.broker.prefix == "site/pod-1" && configuration.broker.username == nil)
            #expect(configuration.bluetooth.addresses?.count == 1 && configuration.warnings.isEmpty)
        }
    }

    @Test func `a wrong variable is reported by its name, and an unknown one is a warning`() throws {
        try withFiles(["bluefleet.yaml": ""]) { file in
            let error = #expect(throws: ConfigurationError.self) {
                try Configuration(file: file, environment: ["BLUEFLEET_MQTT_QOS": "high"])
            }
            #expect(error?.description == "BLUEFLEET_MQTT_QOS:1:1: expected a whole number from 0 to 2, found 'high'")
            let unknown = try Configuration(file: file, environment: ["BLUEFLEET_MQTT_PASSWORD": "x"]).warnings
            #expect(
                unknown.map(\.description) == [
                    "BLUEFLEET_MQTT_PASSWORD:1:1: the environment variable has no effect: did you mean "
                        + "BLUEFLEET_MQTT_PASSWORD_FILE?"
                ])
        }
    }

    @Test func `{gateway} stands for the name of the gateway in each value`() throws {
        let configuration = try Configuration(
            yaml: """
                gateway: attic
                mqtt: {prefix: "house/{gateway}", username: "bf-{gateway}"}
                devices: {a: {address: C0:00:00:00:00:01, title: "{gateway} {gateway}"}}
                fleet: [{match: {name: x}, device: "{gateway}/{address}"}]
                """)
        #expect(configuration.broker.prefix == "house/attic" && configuration.broker.username == "bf-attic")
        #expect(configuration.devices[0].label.title == "attic attic")
        #expect(configuration.fleet.count == 1)
        #expect(try !Configuration(yaml: "mqtt: {prefix: \"{gateway}\"}").broker.prefix.contains("{"))
    }

    @Test func `a profile uses the keys of another one, and its own have priority`() throws {
        let configuration = try Configuration(
            yaml: """
                profiles:
                  base: {hold: 1m, quiet: 5m, characteristics: {battery_level: {read: 1h}}}
                  middle: {profile: base, quiet: 6m}
                  top: {profile: middle, connect: on demand, characteristics: {temperature: {subscribe: true}}}
                devices: {d: {address: C0:00:00:00:00:01, profile: top}}
                fleet: [{match: {name: x}, profile: middle}]
                """)
        let device = try #require(configuration.devices.first)
        #expect(device.hold == .seconds(60) && device.quiet == .seconds(360) && device.connect == .onDemand)
        #expect(Set(device.characteristics.map(\.name)) == ["battery_level", "temperature"])
        #expect(configuration.fleet.first?.settings.hold == .seconds(60))
    }

    @Test(arguments: [
        ("profiles: {a: {profile: a}}", "1:25: the profile uses itself: 'a' uses 'a': remove one of these keys"),
        (
            "profiles: {a: {profile: b}, b: {profile: a}}",
            "1:42: the profile uses itself: 'a' uses 'b' uses 'a': remove one of these keys"
        ),
        (
            "profiles: {a: {profile: b}, b: {profile: c}, c: {profile: jbd/battery}}",
            "1:59: more than 3 profiles in a row: 'a' uses 'b' uses 'c' uses 'jbd/battery': copy the keys of the last one, "
                + "and remove this key"
        ),
        ("profiles: {a: {profile: bse}, base: {}}", "1:25: unknown profile 'bse': did you mean 'base'?"),
    ])
    func `a cycle of profiles, more than three in a row, and an unknown profile are mistakes`(
        yaml: String, mistake: String
    ) {
        #expect(mistakes(in: yaml).first == mistake)
    }
}
