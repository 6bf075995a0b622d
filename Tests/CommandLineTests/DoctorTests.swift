import Configuration
import DBus
import EventLoop
import Foundation
import System
import TestSupport
import TestTraits
import Testing

@testable import bluefleet

@Suite(.ownThreads) struct DoctorTests {
    /// Runs the doctor with simulated devices, a broker and a configuration.
    private func examine(
        _ house: SimulatedHouse, _ options: Broker.Options = .init(), mqtt: String = "", more: String = "",
        words: [String] = []
    ) throws -> Bluefleet.Outcome {
        let broker = try Broker(options)
        defer { broker.stop() }
        let yaml = """
            state_directory: \(broker.folder.path("state"))
            mqtt: {url: "mqtt://127.0.0.1:\(broker.port)"\(mqtt)}
            \(more)
            """
        return try Bluefleet.withFile(yaml) { file in
            try Bluefleet.run(["doctor", "--config", file, "--bus", house.bus] + words)
        }
    }

    @Test func `without problems, every check is ok`() throws {
        let doctor = try examine(try SimulatedHouse())
        #expect(doctor.status == 0)
        #expect(doctor.error == "")
        // The length of the temporary folder's path depends on the host.
        #expect(doctor.lines.allSatisfy { $0.count < 80 || $0.contains(FileManager.default.temporaryDirectory.path) })
        let subjects = [
            "program", "libraries", "user", "configuration", "state folder", "D-Bus", "D-Bus policy", "adapter",
            "connections", "scan", "broker",
        ]
        for subject in subjects {
            #expect(doctor.lines.contains { $0.hasPrefix("ok      \(subject)  ") }, "\(subject): \(doctor.output)")
        }
        #expect(doctor.output.contains(/hci0 saw \d devices?/))
    }

    @Test func `a page that is configured and does not answer has a command that starts it`() throws {
        let house = try SimulatedHouse()
        let port = try freePort()
        let silent = try examine(house, more: "dashboard: {listen: 127.0.0.1:\(port)}", words: ["--brief"])
        #expect(silent.status == 0)
        #expect(silent.output.contains("advice  page           127.0.0.1:\(port) accepts no connection"))
        #expect(silent.output.contains("sudo systemctl start bluefleet-dashboard"))
        // A broker closes the connection of a browser.
        let broker = try Broker()
        let other = try examine(house, more: "dashboard: {listen: 127.0.0.1:\(broker.port)}", words: ["--brief"])
        #expect(other.output.contains("advice  page           127.0.0.1:\(broker.port) does not answer"))
    }

    @Test func `the answer of a page decides, and without settings nothing has to answer`() throws {
        func text(_ answer: LocalRequest.Answer, _ address: String = "127.0.0.1:2583", configured: Bool = true) throws
            -> String?
        {
            let address = try ListenAddress(text: address)
            return DashboardChecks.diagnosis(of: answer, at: address, isConfigured: configured)?.message
        }
        #expect(try text(.response(status: 200, text: "ok")) == "127.0.0.1:2583 answers")
        let open = try text(.response(status: 200, text: "ok"), "192.0.2.1:2583")
        #expect(open == "192.0.2.1:2583 answers; for other machines: http://192.0.2.1:2583/")
        let away = try text(.response(status: 503, text: "broker away"), configured: false)
        #expect(away == "127.0.0.1:2583 answers, but has no connection to the broker")
        #expect(try text(.response(status: 404, text: "")) == "another program answers at 127.0.0.1:2583")
        for answer in [.nothing, .silence, .denied] as [LocalRequest.Answer] {
            #expect(try text(answer, configured: false) == nil)
        }
    }

    @Test(arguments: [
        ("{ path=/usr/bin/bluefleet ; argv[]=/usr/bin/bluefleet decide ; ignore_errors=no ; pid=0 }", true),
        ("{ path=/usr/bin/bluefleet ; argv[]=/usr/bin/bluefleet decide /etc/fleet.yaml ; ignore_errors=no }", true),
        ("{ path=/usr/bin/bluefleet ; argv[]=/usr/bin/bluefleet run ; ignore_errors=no ; pid=0 }", false),
        ("{ path=/usr/bin/bluefleet ; argv[]=/usr/bin/bluefleet ; decide }", false), ("", false), ("argv[]=", false),
    ])
    func `DecidingGateway reads the service of systemd`(text: String, onlyDecides: Bool) {
        #expect(DecidingGateway.onlyDecides(service: text) == onlyDecides)
    }

    @Test func `without Bluetooth, a gateway that only decides has nothing wrong`() throws {
        let broker = try Broker()
        defer { broker.stop() }
        let yaml = """
            state_directory: \(broker.folder.path("state"))
            mqtt: {url: "mqtt://127.0.0.1:\(broker.port)"}
            share: true
            """
        try Bluefleet.withFile(yaml) { file in
            let decider = try RunningBluefleet(["decide", file])
            let doctor = { try Bluefleet.run(["doctor", "--config", file, "--bus", "unix:path=/nowhere", "--brief"]) }
            // The process needs a moment to lock its folder, and some seconds to decide.
            var outcome = try doctor()
            for _ in 0..<2_000 where outcome.status != 0 { outcome = try doctor() }
            #expect(outcome.status == 0, "\(outcome.output)")
            #expect(outcome.output.contains("ok      Bluetooth      not checked"))
            #expect(!outcome.output.contains("D-Bus") && !outcome.output.contains("adapter"))
            decider.send(SIGTERM)
            _ = decider.exit()
            #expect(try doctor().status != 0)
        }
    }

    @Test func `a failed check has a command that fixes it, and an exit status`() throws {
        let house = try SimulatedHouse("adapters:\n  hci0: {address: \"00:00:5E:00:53:01\", powered: false}\n")
        let doctor = try examine(house, more: "bluetooth: {adapters: [\"00:00:5E:00:53:01\", \"00:00:5E:00:53:02\"]}")
        #expect(doctor.status == 69)
        #expect(doctor.error == "bluefleet doctor: 2 checks failed\n")
        #expect(doctor.output.contains("hci0 (00:00:5E:00:53:01) is off"))
        #expect(doctor.output.contains("| bluetoothctl"))
        #expect(doctor.output.contains("00:00:5E:00:53:02 of the configuration was not"))
    }

    @Test func `a rejected login has the exit status of a missing permission`() throws {
        var options = Broker.Options()
        options.passwords = ["bluefleet": "right"]
        let doctor = try examine(try SimulatedHouse(), options, mqtt: ", username: bluefleet", words: ["--json"])
        #expect(doctor.status == 77)
        #expect(doctor.output.contains("login rejected for user bluefleet"))
    }

    @Test func `a broker that requires TLS is fixed in the configuration`() throws {
        var options = Broker.Options()
        options.certifiedHost = "localhost"
        let doctor = try examine(try SimulatedHouse(), options, words: ["--brief"])
        #expect(doctor.status == 69)
        #expect(doctor.output.contains("it might require TLS: set url to"))
        #expect(doctor.output.contains(/\n {8}in \S+\.yaml, correct mqtt.url\n/))
    }

    @Test(arguments: [("topic readwrite bluefleet/#", true), ("topic readwrite bluefleet/bridge/attic/#", false)])
    func `a user that may publish as another gateway that shares devices is advice`(rule: String, isFound: Bool) throws
    {
        var options = Broker.Options()
        options.passwords = ["bluefleet": "secret"]
        options.accessRules = "user bluefleet\n\(rule)\n"
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let login = ", username: bluefleet, password_file: \(try folder.write("secret", to: "password"))"
        let house = try SimulatedHouse()
        for share in ["", "share: true"] {
            let doctor = try examine(house, options, mqtt: login, more: "gateway: attic\n\(share)", words: ["--brief"])
            #expect(doctor.status == 0)
            let found = doctor.output.contains(
                "advice  sharing access the user bluefleet may publish as another gateway")
            #expect(found == (isFound && !share.isEmpty), "\(doctor.output)")
        }
    }

    @Test func `the seat of gateways that share devices is checked at each node`() throws {
        let etcd = try Etcd()
        let house = try SimulatedHouse()
        let dead = "http://127.0.0.1:\(try freePort())"
        let key = "share: {seat: {etcd: [\"\(dead)\", \"\(etcd.url)\"]}}"
        let one = try examine(house, more: key, words: ["--brief"])
        #expect(one.status == 0 && one.output.contains("ok      seat           \(etcd.url): no gateway holds it"))
        #expect(one.output.contains("advice  seat           \(dead)"))
        etcd.kill()
        #expect(try examine(house, more: key, words: ["--brief"]).status == 69)
    }

    @Test func `each node of a cluster is checked, and one that does not answer is advice`() throws {
        let (dead, broker) = (try Broker(), try Broker())
        dead.stop()
        defer { broker.stop() }
        let house = try SimulatedHouse()
        let yaml = """
            state_directory: \(broker.folder.path("state"))
            mqtt: {url: ["mqtt://127.0.0.1:\(dead.port)", "mqtt://127.0.0.1:\(broker.port)"]}
            """
        try Bluefleet.withFile(yaml) { file in
            let doctor = try Bluefleet.run("doctor", "--brief", "--config", file, "--bus", house.bus)
            #expect(doctor.status == 0)
            #expect(doctor.output.contains("advice  broker         mqtt://127.0.0.1:\(dead.port) is unreachable"))
            #expect(doctor.output.contains("ok      broker         mqtt://127.0.0.1:\(broker.port): login accepted"))
            broker.stop()
            #expect(try Bluefleet.run("doctor", "--brief", "--config", file, "--bus", house.bus).status == 69)
        }
    }

    @Test func `an invalid certificate has a command that shows it`() throws {
        var options = Broker.Options()
        options.certifiedHost = "localhost"
        let broker = try Broker(options)
        defer { broker.stop() }
        let house = try SimulatedHouse()
        let yaml = """
            state_directory: \(broker.folder.path("state"))
            mqtt: {url: "mqtts://localhost:\(broker.port)"}
            """
        try Bluefleet.withFile(yaml) { file in
            let doctor = try Bluefleet.run("doctor", "--brief", "--config", file, "--bus", house.bus)
            #expect(doctor.status == 69)
            #expect(doctor.output.contains("        openssl s_client -connect localhost:\(broker.port) < /dev/null\n"))
        }
    }

    @Test(arguments: [("", false), ("spool: {keep: all}", true)])
    func `the disk is checked only for values that wait there`(keys: String, isChecked: Bool) throws {
        let broker = try Broker()
        defer { broker.stop() }
        let house = try SimulatedHouse()
        let yaml = """
            state_directory: \(broker.folder.path("state"))
            mqtt: {url: "mqtt://127.0.0.1:\(broker.port)"}
            \(keys)
            """
        try Bluefleet.withFile(yaml) { file in
            let doctor = try Bluefleet.run("doctor", "--brief", "--json", "--config", file, "--bus", house.bus)
            #expect(doctor.output.contains("\"spool\"") == isChecked)
        }
    }

    @Test func `--json prints a JSON object`() throws {
        let doctor = try examine(try SimulatedHouse(), words: ["--json"])
        let result = try #require(try JSONSerialization.jsonObject(with: Data(doctor.output.utf8)) as? [String: Any])
        #expect(result["ok"] as? Bool == true)
        let checks = try #require(result["checks"] as? [[String: Any]])
        #expect(checks.contains { $0["subject"] as? String == "broker" && $0["state"] as? String == "ok" })
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func `a signal interrupts the doctor`(signal: Int32) throws {
        let house = try SimulatedHouse("peripherals: {}\n")
        let doctor = try RunningBluefleet("doctor", "--config", "/nowhere/x.yaml", "--bus", house.bus)
        // Then it scans, for 12 s because there are no devices.
        _ = doctor.output.line(containing: "configuration")
        doctor.send(signal)
        #expect(doctor.exit() == 128 + signal)
    }

    @Test func `without bluetoothd and configuration, both are reported`() throws {
        let doctor = try Bluefleet.run("doctor", "--config", "/nowhere/x.yaml", "--bus", "unix:path=/nowhere/bus")
        #expect(doctor.status == 78)
        #expect(doctor.output.contains("\n        bluefleet help --example | sudo tee /nowhere/x.yaml\n"))
        #expect(doctor.output.contains("wrong   D-Bus "))
        #expect(doctor.output.contains("\n        for the system bus: "))
    }

    @Test func `a bluetoothd that is not running is reported, and not started`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        // As on a system bus, where systemd starts bluetoothd for the first call.
        let bluetoothd = try folder.program("touch \(folder.path("started"))", named: "bluetoothd")
        try folder.write("[D-BUS Service]\nName=org.bluez\nExec=\(bluetoothd)\n", to: "org.bluez.service")
        let configuration = PrivateBus.configuration(listeningAt: folder.path("bus"), limits: [:])
            .replacingOnce("</busconfig>", with: "<servicedir>\(folder.path)</servicedir></busconfig>")
        let file = try folder.write(configuration, to: "bus.conf")
        let bus = try Command("dbus-daemon", ["--config-file=\(file)", "--nofork", "--print-address"])
        try bus.waitForOutput(containing: "unix:path=")
        let doctor = try Bluefleet.run(
            "doctor", "--brief", "--config", "/nowhere/x.yaml", "--bus", "unix:path=\(folder.path("bus"))")
        bus.kill()
        #expect(doctor.output.contains("\nwrong   bluetoothd     bluetoothd is not running\n"))
        #expect(!FileManager.default.fileExists(atPath: folder.path("started")))
    }

    @Test func `a password file that is missing or not readable has a command that fixes it`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let yaml = "mqtt: {username: a, password_file: \(folder.path("missing"))}\n"
        try Bluefleet.withFile(yaml) { file in
            let doctor = try Bluefleet.run("doctor", "--brief", "--config", file, "--bus", "unix:path=/nowhere/bus")
            #expect(doctor.output.contains(" /dev/stdin \(folder.path("missing"))\n"))
        }
        func remedy(_ name: String, of user: String, isInstalled: Bool = true) -> String {
            NamedFile(path: folder.path(name), exists: { _ in isInstalled }, user: user, group: user).remedy
                .replacing(folder.path, with: "FOLDER")
        }
        try folder.write("", to: "password")
        #expect(remedy("missing", of: "pi") == "sudo install -m 640 -g bluefleet /dev/stdin FOLDER/missing")
        #expect(
            remedy("missing", of: "pi", isInstalled: false) == "sudo install -m 640 -g pi /dev/stdin FOLDER/missing")
        #expect(remedy("password/a", of: "pi") == "namei -l FOLDER/password/a")
        #expect(remedy("password", of: "pi") == "sudo -u bluefleet bluefleet doctor")
        let fix = "chgrp bluefleet FOLDER/password && sudo chmod 640 FOLDER/password"
        #expect(remedy("password", of: "bluefleet") == "sudo \(fix)")
        #expect(remedy("password", of: "pi", isInstalled: false).hasPrefix("sudo chgrp pi "))
    }

    /// Returns the diagnosis of a state folder, without a broker and a bus.
    private func examine(stateFolder: String) throws -> [String] {
        try Bluefleet.withFile("state_directory: \(stateFolder)\nmqtt: {url: unix:///nowhere/socket}\n") { file in
            let doctor = try Bluefleet.run("doctor", "--json", "--config", file, "--bus", "unix:path=/nowhere/bus")
            let result = try #require(
                try JSONSerialization.jsonObject(with: Data(doctor.output.utf8)) as? [String: Any])
            let checks = try #require(result["checks"] as? [[String: Any]])
            let check = try #require(checks.first { $0["subject"] as? String == "state folder" })
            return ["state", "message", "remedy"].compactMap { check[$0] as? String }
                .map { $0.replacingOccurrences(of: file, with: "FILE") }
        }
    }

    @Test func `a file is rejected as a state folder`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        for file in [try folder.write("", to: "plain"), try folder.program("", named: "executable")] {
            #expect(
                try examine(stateFolder: file) == [
                    "wrong", "\(file) is not a folder", "in FILE, change state_directory",
                ])
        }
        #expect(try examine(stateFolder: folder.path) == ["ok", folder.path])
        let new = folder.path("new")
        #expect(try examine(stateFolder: new) == ["ok", "\(new) will be created"])
        let deep = folder.path("new/er")
        #expect(try examine(stateFolder: deep).dropLast() == ["wrong", "\(deep) does not exist"])
    }

    @Test func `problematic settings of bluetoothd are found`() {
        let text = """
            [General]
            ControllerMode = bredr
            TemporaryTimeout = 5
            [Policy]
            #AutoEnable=false
            [LE]
            ConnectionSupervisionTimeout=200
            """
        let findings = BluetoothSettings(text).findings
        #expect(findings.map(\.state) == [.wrong(.unavailable), .advice])
        #expect(findings.first?.remedy == "/etc/bluetooth/main.conf, [General]: ControllerMode=le")
        // The last remedy ends with the command that makes bluetoothd read the file.
        #expect(findings.last?.remedy?.hasSuffix("TemporaryTimeout=30\nsudo systemctl restart bluetooth") == true)
        #expect(BluetoothSettings("[LE]\nConnectionSupervisionTimeout = 72\n").findings.map(\.state) == [.ok])
    }

    @Test func `a default of several ATT channels is found in a comment`() {
        let text = "[LE]\nConnectionSupervisionTimeout=200\n[GATT]\n#Channels = 3\n"
        #expect(BluetoothSettings(text).findings.first?.message.contains("ATT channels") == true)
        #expect(BluetoothSettings(text + "Channels = 1\n").findings.map(\.state) == [.ok])
    }

    @Test func `a bluetoothd without restart by systemd is found`() {
        #expect(BluetoothServiceChecks.findings("Restart=no\nLoadState=loaded\n").map(\.state) == [.advice])
        #expect(BluetoothServiceChecks.findings("Restart=always\nLoadState=loaded\n").map(\.state) == [.ok])
        #expect(BluetoothServiceChecks.findings("Restart=no\nLoadState=not-found\n").isEmpty)
    }

    @Test func `each line of a remedy is indented`() {
        let text = Diagnosis.advice("main.conf", "it is slow", "first\nsecond").text
        #expect(text.hasSuffix("\n        first\n        second"))
    }
}
