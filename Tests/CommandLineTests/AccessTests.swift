import Foundation
import TestSupport
import TestTraits
import Testing

/// Commands that connect to a device.
@Suite(.ownThreads) struct AccessTests {
    private let relay = "6e400002-b5a3-f393-e0a9-e50e24dcca9e"
    private let relayState = "6e400003-b5a3-f393-e0a9-e50e24dcca9e"

    @Test func `read prints a value with its unit and disconnects`() throws {
        let house = try SimulatedHouse()
        let read = try house.run("read", "C0:00:00:00:00:01", "temperature")
        #expect(read.status == 0)
        #expect(read.error == "")
        #expect(read.output.wholeMatch(of: /[\d.]+ °C\n/) != nil)
        #expect(try house.addresses().contains("C0:00:00:00:00:01"))
    }

    @Test func `read --json prints the payload of the reading`() throws {
        let read = try SimulatedHouse().run("read", "C0:00:00:00:00:01", "battery/2A19", "--json")
        let result = try #require(try JSONSerialization.jsonObject(with: Data(read.output.utf8)) as? [String: Any])
        #expect(result["characteristic"] as? String == "battery_level")
        #expect(result["value"] as? Int == 93)
        #expect(result["unit"] as? String == "%")
        #expect(result["hex"] as? String == "5d")
        #expect(result["time"] is String)
    }

    @Test func `a written value can be read`() throws {
        let house = try SimulatedHouse()
        let written = try house.run("write", "C0:00:00:00:00:05", relay, "01", "--hex")
        #expect(written.status == 0)
        #expect(written.output == "\(relay): 01 written\n")
        #expect(try house.run("read", "C0:00:00:00:00:05", relayState).output == "01\n")
        let off = try house.run("write", "C0:00:00:00:00:05", relay, #"{"hex":"00"}"#, "--json", "--without-response")
        #expect(off.output == #"{"characteristic":"\#(relay)","hex":"00","response":false}"# + "\n")
        #expect(try house.run("read", "C0:00:00:00:00:05", relayState).output == "00\n")
    }

    /// Calls `body` with a configuration that contains the relay of the demo with the names `relay` and `output`.
    private func withConfiguration(_ body: (String) throws -> Void) throws {
        let yaml = """
            devices:
              relay:
                address: C0:00:00:00:00:05
                characteristics:
                  output: {uuid: \(relay), write: without response, format: [{name: on, type: boolean}]}
                  state: {uuid: \(relayState), format: [{name: on, type: boolean}]}
              climate:
                address: C0:00:00:00:00:01
                characteristics:
                  warmth: {service: 181A, uuid: 2A6E, unit: deg}
              silent: {address: C0:00:00:00:00:06, connect: never}
            """
        try Bluefleet.withFile(yaml, body)
    }

    @Test func `read, write and watch use the names, formats and units of the configuration`() throws {
        let house = try SimulatedHouse()
        try withConfiguration { file in
            let written = try house.run("write", "relay", "output", "true", "--config", file)
            #expect(written.output == "output: 01 sent without response\n")
            #expect(try house.run("read", "relay", "state", "--config", file).output == "true\n")
            let json = try house.run("read", "C0:00:00:00:00:05", "state", "--config", file, "--json").output
            #expect(json.hasPrefix(#"{"characteristic":"state","value":true,"#))
            let wrong = try house.run("write", "relay", "output", "7", "--config", file)
            #expect(wrong.status == 65)
            #expect(wrong.error.hasPrefix("bluefleet write: output: on: expected true or false"))
            let watch = try RunningBluefleet(
                "watch", "climate", "warmth", "--config", file, "--bus", house.bus)
            let line = try #require(watch.output.line(containing: "warmth"))
            #expect(line.wholeMatch(of: /\S+ warmth [\d.]+ deg/) != nil)
            watch.send(SIGINT)
            #expect(watch.exit() == 0)
        }
    }

    @Test(arguments: ["[{name: label, type: utf8}]", "[{name: mode, type: uint8, values: {65: North}}]"])
    func `write takes a text without quotation marks`(format: String) throws {
        let house = try SimulatedHouse()
        let written = try house.run("write", "C0:00:00:00:00:05", relay, "North", "--format", format)
        #expect(written.output == "\(relay): \(format.contains("utf8") ? "4e6f727468" : "41") written\n")
    }

    @Test func `a number can be the text of a display`() throws {
        let house = try SimulatedHouse()
        let written = try house.run("write", "C0:00:00:00:00:05", relay, "12", "--format", "[{name: a, type: utf8}]")
        #expect(written.output == "\(relay): 3132 written\n")
    }

    @Test func `--format replaces the format of the value`() throws {
        let house = try SimulatedHouse()
        let format = "[{name: on, type: boolean}]"
        let written = try house.run("write", "C0:00:00:00:00:05", relay, "true", "--format", format)
        #expect(written.output == "\(relay): 01 written\n")
        #expect(try house.run("read", "C0:00:00:00:00:05", relayState, "--format", format).output == "true\n")
        let both = try Bluefleet.run("watch", "C0:00:00:00:00:05", relay, relayState, "--format", format)
        #expect(both.status == 64)
        #expect(both.error.hasPrefix("bluefleet watch: --format applies to a single CHARACTERISTIC, found 2\n"))
    }

    @Test func `an unknown device or characteristic is reported with the nearest name`() throws {
        try withConfiguration { file in
            func message(_ words: String...) throws -> String {
                let outcome = try Bluefleet.run(words + ["--config", file])
                #expect(outcome.status == 64)
                return outcome.error.split(separator: "\n").first.map(String.init) ?? ""
            }
            let device = try message("read", "relai", "state")
            #expect(
                device == "bluefleet read: unknown device 'relai': did you mean 'relay'? "
                    + "Expected a device of \(file), or an address such as C0:00:00:00:00:01")
            let characteristic = try message("read", "relay", "stat")
            #expect(
                characteristic == "bluefleet read: device 'relay' has no characteristic 'stat': did you mean 'state'?")
            let unlike = try message("read", "relay", "zzz")
            #expect(unlike.hasPrefix("bluefleet read: device 'relay' has no characteristic 'zzz': expected "))
            #expect(unlike.contains("state") && unlike.hasSuffix(", or a UUID"))
            let other = try message("read", "silent", "moisture")
            #expect(
                other == "bluefleet read: device 'silent' has connect: never: bluefleet scan shows the values that it "
                    + "advertises")
            let dashes = try message("read", "C0-00-00-00-00-01", "temperature")
            #expect(
                dashes.hasSuffix(
                    "'C0-00-00-00-00-01' is not an address such as C0:00:00:00:00:01: did you mean "
                        + "C0:00:00:00:00:01?"))
            let type = try message("read", "relay", "state", "--format", "uint8")
            #expect(
                type
                    == "bluefleet read: --format: expected fields such as '[{name: level, type: uint8}]', found 'uint8'"
            )
            let address = try message("pair", "C0:00:00")
            #expect(
                address
                    == "bluefleet pair: 'C0:00:00' is not an address such as C0:00:00:00:00:01; bluefleet scan lists "
                    + "devices in range")
        }
        let none = try Bluefleet.run("read", "relay", "state", "--config", "/nowhere/x.yaml")
        #expect(none.status == 64)
        #expect(none.error.hasPrefix("bluefleet read: 'relay' is not an address such as "))
        try Bluefleet.withFile("gatway: a\n") { file in
            let wrong = try Bluefleet.run("unpair", "relay", "--config", file)
            #expect(wrong.status == 78)
            #expect(wrong.error.contains("\(file):1:1: unknown key 'gatway'"))
        }
    }

    @Test func `watch prints values until Ctrl-C, and disconnects`() throws {
        let house = try SimulatedHouse()
        let watch = try RunningBluefleet(
            "watch", "C0:00:00:00:00:01", "temperature", "humidity", "--bus", house.bus)
        let line = try #require(watch.output.line(containing: "temperature"))
        #expect(line.wholeMatch(of: /\d{4}-\d\d-\d\dT[\d:.]+Z temperature [\d.]+ °C/) != nil)
        #expect(watch.output.line(containing: "humidity") != nil)
        watch.send(SIGINT)
        #expect(watch.exit() == 0)
        #expect(try house.addresses().contains("C0:00:00:00:00:01"))
    }

    @Test func `watch --json prints one object per value`() throws {
        let house = try SimulatedHouse()
        let watch = try RunningBluefleet(
            "watch", "C0:00:00:00:00:04", "heart_rate_measurement", "--json", "--bus", house.bus)
        let line = try #require(watch.output.line())
        let value = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        #expect(value["heart_rate"] is Int)
        watch.send(SIGINT)
        #expect(watch.exit() == 0)
    }

    @Test func `watch ends after its duration`() throws {
        let house = try SimulatedHouse()
        #expect(try house.run("watch", "C0:00:00:00:00:01", "temperature", "--for", "100ms").status == 0)
        #expect(try house.addresses().contains("C0:00:00:00:00:01"))
    }

    @Test func `a failure says what to do`() throws {
        let house = try SimulatedHouse()
        let absent = try house.run("read", "C0:00:00:00:00:77", "temperature", "--within", "1s")
        #expect(absent.status == 69)
        #expect(absent.error.contains("C0:00:00:00:00:77: not seen within 1 s: the device must be near"))
        let missing = try house.run("read", "C0:00:00:00:00:01", "pressure")
        #expect(missing.status == 69)
        let inspect = "bluefleet inspect C0:00:00:00:00:01 --bus \(house.bus)"
        #expect(missing.error.contains("has no characteristic 'pressure'; list its characteristics with \(inspect)\n"))
        let mute = try house.run("watch", "C0:00:00:00:00:04", "body_sensor_location")
        #expect(mute.status == 69)
        let readMute = "bluefleet read C0:00:00:00:00:04 body_sensor_location --bus \(house.bus)"
        #expect(mute.error.contains("does not notify: read it with \(readMute)\n"))
        let unknown = try house.run("write", "C0:00:00:00:00:05", relay, "1")
        #expect(unknown.status == 65)
        #expect(unknown.error.contains("give the bytes with --hex"))
        let fixed = try house.run("write", "C0:00:00:00:00:01", "temperature", "21")
        #expect(fixed.status == 69)
        #expect(fixed.error.contains("cannot be written: its flags are read, notify"))
        #expect(try house.run("read", "C0:00:00:01", "temperature").status == 64)
    }

    @Test func `a characteristic of two services needs its service`() throws {
        let twins = """
            peripherals:
              twins:
                address: C0:00:00:00:00:01
                services:
                  - {uuid: 181A, characteristics: [{uuid: temperature, flags: [read], value: 21}]}
                  - {uuid: 1809, characteristics: [{uuid: temperature, flags: [read], value: 22}]}
            """
        let house = try SimulatedHouse(twins)
        let outcome = try house.run("read", "C0:00:00:00:00:01", "temperature")
        #expect(outcome.status == 64)
        #expect(outcome.error.contains("ambiguous: use 181A/2A6E or 1809/2A6E"))
        #expect(try house.run("read", "C0:00:00:00:00:01", "1809/2A6E").output == "22 °C\n")
    }

    @Test func `equal characteristics have numbers, in the proposed entry too`() throws {
        let twins = """
            peripherals:
              twins:
                address: C0:00:00:00:00:01
                services:
                  - uuid: 181A
                    characteristics:
                      - {uuid: temperature, flags: [read, write], value: 21}
                      - {uuid: temperature, flags: [read, write], value: 22}
            """
        let house = try SimulatedHouse(twins)
        let outcome = try house.run("read", "C0:00:00:00:00:01", "temperature")
        #expect(outcome.status == 64)
        #expect(outcome.error.contains("has 2 characteristics 'temperature': append #1, #2, …"))
        #expect(try house.run("read", "C0:00:00:00:00:01", "181A/2A6E#2").output == "22 °C\n")
        #expect(try house.run("read", "C0:00:00:00:00:01", "temperature#1").output == "21 °C\n")
        #expect(try house.run("read", "C0:00:00:00:00:01", "temperature#3").status == 69)
        #expect(try house.run("read", "C0:00:00:00:00:01", "temperature#last").status == 64)
        let entry = try house.run("inspect", "C0:00:00:00:00:01", "--yaml").output
        #expect(entry.contains("temperature_2: {service: 181A, uuid: 2A6E, instance: 2, read: 10m"))
        let yaml =
            "devices: {twins: {address: C0:00:00:00:00:01, characteristics: {warmth: {uuid: 2A6E, write: true}}}}"
        try Bluefleet.withFile(yaml) { file in
            let write = try house.run("write", "twins", "warmth", "30", "--config", file)
            #expect(write.status == 64 && write.error.contains("2A6E exists 2 times in the service 181A"))
            #expect(write.error.contains(#"add "instance: 1" or another one"#))
            let read = try house.run("read", "twins", "warmth", "--config", file)
            #expect(read.output == "21 °C\n")
        }
        try Bluefleet.withFile(yaml.replacing("uuid: 2A6E", with: "uuid: 2A6E, instance: 2")) { file in
            let write = try house.run("write", "twins", "warmth", "30", "--config", file)
            let read = try house.run("read", "twins", "warmth", "--config", file)
            #expect(write.status == 0 && read.output == "30 °C\n")
        }
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func `a signal ends the search for a device with its own status`(signal: Int32) throws {
        let house = try SimulatedHouse()
        let terminal = try Pseudoterminal(columns: 80, rows: 24)
        let read = try RunningBluefleet(
            ["read", "C0:00:00:00:00:77", "temperature", "--within", "1h", "--bus", house.bus], at: terminal)
        #expect(terminal.read(until: "Searching for").contains("Searching for C0:00:00:00:00:77"))
        read.send(signal)
        #expect(read.exit() == 128 + signal)
    }
}
