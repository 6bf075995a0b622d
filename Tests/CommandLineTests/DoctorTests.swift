import EventLoop
import Foundation
import TestSupport
import Testing

@testable import bluefleet

@Suite struct DoctorTests {
    /// Runs the doctor on a house, a broker and a configuration.
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

    @Test func `where everything is there, each line says so`() throws {
        let doctor = try examine(try SimulatedHouse())
        #expect(doctor.status == 0)
        #expect(doctor.error == "")
        #expect(doctor.lines.allSatisfy { $0.count < 80 })
        let subjects = [
            "program", "libraries", "user", "configuration", "state folder", "D-Bus", "D-Bus policy", "adapter",
            "connections", "scan", "broker",
        ]
        for subject in subjects {
            #expect(doctor.lines.contains { $0.hasPrefix("ok      \(subject)  ") }, "\(subject): \(doctor.output)")
        }
        #expect(doctor.output.contains(/hci0 hears \d devices?/))
    }

    @Test func `what is wrong has a command that mends it, and the exit status tells`() throws {
        let house = try SimulatedHouse("adapters:\n  hci0: {address: \"00:00:5E:00:53:01\", powered: false}\n")
        let doctor = try examine(house, more: "bluetooth: {adapters: [\"00:00:5E:00:53:01\", \"00:00:5E:00:53:02\"]}")
        #expect(doctor.status == 69)
        #expect(doctor.error == "bluefleet doctor: 2 things are wrong\n")
        #expect(doctor.output.contains("hci0 (00:00:5E:00:53:01) is off"))
        #expect(doctor.output.contains("| bluetoothctl"))
        #expect(doctor.output.contains("00:00:5E:00:53:02, which the configuration names, is not"))
    }

    @Test func `a broker that refuses the log-in is a matter of permission`() throws {
        var options = Broker.Options()
        options.passwords = ["bluefleet": "right"]
        let doctor = try examine(try SimulatedHouse(), options, mqtt: ", username: bluefleet")
        #expect(doctor.status == 77)
        #expect(doctor.output.contains("refuses us as bluefleet"))
    }

    @Test func `a broker that wants TLS is a matter of the configuration`() throws {
        var options = Broker.Options()
        options.certifiedHost = "localhost"
        let doctor = try examine(try SimulatedHouse(), options, words: ["--brief"])
        #expect(doctor.status == 69)
        #expect(doctor.output.contains("it may want TLS: set url to"))
        #expect(doctor.output.contains(/\n {8}\S+\.yaml, mqtt: url\n/))
    }

    @Test func `a certificate that does not hold is shown by the command it names`() throws {
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

    @Test func `programs get a JSON object`() throws {
        let doctor = try examine(try SimulatedHouse(), words: ["--json"])
        let result = try #require(try JSONSerialization.jsonObject(with: Data(doctor.output.utf8)) as? [String: Any])
        #expect(result["ok"] as? Bool == true)
        let checks = try #require(result["checks"] as? [[String: Any]])
        #expect(checks.contains { $0["subject"] as? String == "broker" && $0["state"] as? String == "ok" })
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func `whoever does not want to wait interrupts it`(signal: Int32) throws {
        let house = try SimulatedHouse("peripherals: {}\n")
        let doctor = try RunningBluefleet("doctor", "--config", "/nowhere/x.yaml", "--bus", house.bus)
        // After that it scans, for a while in a house without devices.
        _ = doctor.output.line(containing: "configuration")
        doctor.send(signal)
        #expect(doctor.exit() == 128 + signal)
    }

    @Test func `without bluetoothd and without a configuration it tells both`() throws {
        let doctor = try Bluefleet.run("doctor", "--config", "/nowhere/x.yaml", "--bus", "unix:path=/nowhere/bus")
        #expect(doctor.status == 78)
        #expect(doctor.output.contains("\n        bluefleet help --example | sudo tee /nowhere/x.yaml\n"))
        #expect(doctor.output.contains("wrong   D-Bus "))
        #expect(doctor.output.contains("\n        for the system's bus: "))
    }

    /// What the doctor says of a state folder; no broker is there, and no bus.
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

    @Test func `a file is no state folder, whatever it allows`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        for file in [try folder.write("", to: "plain"), try folder.program("", named: "executable")] {
            #expect(try examine(stateFolder: file) == ["wrong", "\(file) is no folder", "FILE, state_directory"])
        }
        #expect(try examine(stateFolder: folder.path) == ["ok", folder.path])
        let new = folder.path("new")
        #expect(try examine(stateFolder: new) == ["ok", "\(new) will be made"])
        let deep = folder.path("new/er")
        #expect(try examine(stateFolder: deep).dropLast() == ["wrong", "\(deep) is not there"])
    }

    @Test(arguments: [
        ("/var/lib/bluefleet", "/var/lib"), ("/new", "/"), ("/", "/"), ("new", "."), ("sub/new", "sub"),
        ("sub/new/", "sub"), ("./new", "."),
    ])
    func `a state folder that is to be made stands in another`(folder: String, parent: String) {
        #expect(StateExamination.parent(of: folder) == parent)
    }

    @Test func `settings of bluetoothd that hurt are found`() {
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
        // The last of them ends with what makes bluetoothd read the file.
        #expect(findings.last?.remedy?.hasSuffix("TemporaryTimeout=30\nsudo systemctl restart bluetooth") == true)
        #expect(BluetoothSettings("[LE]\nConnectionSupervisionTimeout = 72\n").findings.map(\.state) == [.ok])
    }

    @Test func `the default of a bluetoothd that makes several ATT channels is found where it stands in a comment`() {
        let text = "[LE]\nConnectionSupervisionTimeout=200\n[GATT]\n#Channels = 3\n"
        #expect(BluetoothSettings(text).findings.first?.message.contains("ATT channels") == true)
        #expect(BluetoothSettings(text + "Channels = 1\n").findings.map(\.state) == [.ok])
    }

    @Test func `a bluetoothd that systemd does not start again is found`() {
        #expect(BluetoothService.findings("Restart=no\nLoadState=loaded\n").map(\.state) == [.advice])
        #expect(BluetoothService.findings("Restart=always\nLoadState=loaded\n").map(\.state) == [.ok])
        #expect(BluetoothService.findings("Restart=no\nLoadState=not-found\n").isEmpty)
    }

    @Test func `a remedy of several lines is shown in as many`() {
        let text = Diagnosis.advice("main.conf", "it hurts", "first\nsecond").text
        #expect(text.hasSuffix("\n        first\n        second"))
    }
}
