import Foundation
import TestSupport
import Testing

/// Commands that connect to a device.
@Suite struct AccessTests {
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
                      - {uuid: temperature, flags: [read], value: 21}
                      - {uuid: temperature, flags: [read], value: 22}
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
        #expect(entry.contains("temperature_2: {service: 181A, uuid: 2A6E, instance: 2, read: 10m}"))
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
