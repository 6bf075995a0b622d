import DBus
import TestSupport
import Testing

/// The values of curves, as a client reads them.
@Suite struct CurveTests {
    /// Reads a temperature several times, in hundredths of a degree.
    private func readings(_ value: String, seed: Int = 1, count: Int = 6) throws -> [Int] {
        let fleet = """
            seed: \(seed)
            \(specimen.replacingOnce("value: 21.53", with: "value: \(value)"))
            """
        return try withSimulation(fleet) { _, client, _ in
            try await client.connect(Path.device)
            var readings: [Int] = []
            for _ in 0..<count {
                let reply = try await client.call(
                    Path.temperature, "GattCharacteristic1.ReadValue", .properties([:]))
                let bytes = reply[0].bytes ?? []
                readings.append(Int(Int16(littleEndian: Int16(bytes[0]) | Int16(bytes[1]) << 8)))
            }
            return readings
        }
    }

    @Test func `a list starts again after its last value`() throws {
        #expect(try readings("{list: [1, 2.5, 3]}") == [100, 250, 300, 100, 250, 300])
    }

    @Test func `a walk stays in its range and is reproducible by its seed`() throws {
        let walk = "{walk: {from: 20, to: 21, step: 0.4}}"
        let (first, second, other) = (try readings(walk), try readings(walk), try readings(walk, seed: 2))
        #expect(first.allSatisfy { (2000...2100).contains($0) })
        #expect(Set(first).count > 1)
        #expect(first == second)
        #expect(first != other)
    }

    @Test func `a sine moves between its two numbers`() throws {
        let values = try readings("{sine: {from: 10, to: 12, over: 20ms}}", count: 30)
        #expect(values.allSatisfy { (1000...1200).contains($0) })
        #expect(Set(values).count > 1)
    }

    @Test func `a curve repeats its last value where the format cannot encode the next one`() throws {
        let format = "[{name: level, type: uint8, unknown: 3}]"
        let fleet = specimen.replacingOnce(
            "{uuid: temperature, flags: [read, notify], value: 21.53}",
            with: "{uuid: FFF1, flags: [read], format: \(format), value: {walk: {from: 2, to: 6, step: 3}}}")
        let values = try withSimulation(fleet) { _, client, _ in
            try await client.connect(Path.device)
            var values: [UInt8] = []
            for _ in 0..<60 {
                let reply = try await client.call(
                    Path.temperature, "GattCharacteristic1.ReadValue", .properties([:]))
                values += reply[0].bytes ?? []
            }
            return values
        }
        #expect(Set(values) == [2, 4, 5, 6])
        #expect(values.count == 60)
    }

    @Test func `a ramp rises from its first number`() throws {
        let values = try readings("{ramp: {from: 0, to: 100, over: 1h}}")
        #expect(values == values.sorted())
        #expect(values.allSatisfy { (0..<100).contains($0) })
    }
}
