import Foundation
import TestSupport
import TestTraits
import Testing

@Suite(.ownThreads) struct ScanTests {
    @Test func `scan prints each device with signal strength and name, the strongest first`() throws {
        let scan = try SimulatedHouse().scan(until: 6)
        #expect(scan.status == 0)
        #expect(scan.lines.allSatisfy { $0.count < 80 })
        #expect(scan.error.contains("Next: bluefleet inspect ADDRESS --yaml --bus "))
        let devices = scan.lines.filter { $0.contains(" dBm ") }
        #expect(devices.count == 6)
        let climate = try #require(devices.first { $0.hasPrefix("C0:00:00:00:00:01") })
        #expect(climate.wholeMatch(of: /C0:00:00:00:00:01  random  -\d\d dBm   (now|\d s) +Climate/) != nil)
        #expect(scan.lines.contains("                   environmental_sensing (181A), battery (180F)"))
        let strengths = try devices.map { try #require(Int($0.split(separator: " ")[2])) }
        #expect(strengths == strengths.sorted(by: >))
    }

    @Test func `--json prints one JSON object`() throws {
        let scan = try SimulatedHouse().scan(until: 6, "--json")
        let result = try #require(try JSONSerialization.jsonObject(with: Data(scan.output.utf8)) as? [String: Any])
        let devices = try #require(result["devices"] as? [[String: Any]])
        #expect(devices.count == 6)
        let climate = try #require(devices.first { $0["address"] as? String == "C0:00:00:00:00:01" })
        #expect(climate["name"] as? String == "Climate")
        #expect(climate["kind"] as? String == "random")
        #expect(climate["services"] as? [String] == ["181A", "180F"])
        #expect((climate["rssi"] as? Int ?? 0) < 0)
    }

    @Test func `advertisements are decoded`() throws {
        let beacon = """
            peripherals:
              ruuvi:
                address: D0:00:00:00:00:04
                advertise: {manufacturer_data: {0x0499: 0512FC5394C37C0004FFFC040CAC364200CDCBB8334C884F}}
            """
        let house = try SimulatedHouse(beacon)
        #expect(try house.scan(until: 1).output.contains("temperature 24.3 °C"))
        #expect(try house.scan(until: 1, "--json").output.contains(#""temperature":24.3"#))
    }

    @Test func `scan ends after its duration, with advice if no device was seen`() throws {
        let house = try SimulatedHouse("peripherals: {}")
        let scan = try house.run("scan", "--for", "100ms")
        #expect(scan.status == 0)
        #expect(scan.output == "")
        let advice = "bluefleet doctor --bus \(house.bus)"
        #expect(scan.error == "No device was seen. Check that a device is near and advertises. More: \(advice)\n")
    }

    @Test func `a missing bus is reported with advice`() throws {
        let scan = try Bluefleet.run("scan", "--bus", "unix:path=/nowhere/bus")
        #expect(scan.status == 69)
        #expect(scan.error.contains("/nowhere/bus"))
        #expect(scan.error.contains("bluefleet doctor"))
    }
}
