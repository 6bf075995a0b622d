import TestSupport
import Testing

@testable import Sharing

/// Values by device have the meaning of a dictionary.
@Suite struct DeviceValuesTests {
    private static let devices = DeviceNumbers(["cellar", "attic", "porch"])

    @Test func `DeviceNumbers numbers devices in the order of their names`() {
        #expect(Self.devices.names == ["attic", "cellar", "porch"])
        #expect(Self.devices["porch"] == 2 && Self.devices["garage"] == nil)
    }

    @Test func `DeviceValues behaves like a dictionary, with shared devices and others`() {
        var chance = SeededGenerator(seed: 1)
        var names = ["attic", "cellar", "garage", "kitchen", "porch"]
        var (values, expected) = (DeviceValues<Int>(Self.devices), [String: Int]())
        for step in 0..<500 {
            let device = names[Int.random(in: 0..<names.count, using: &chance)]
            let value = Bool.random(using: &chance) ? step : nil
            (values[device], expected[device]) = (value, value)
            if step % 50 == 49 {
                names.shuffle(using: &chance)
                values.use(DeviceNumbers(names.prefix(3)))
            }
            if step % 70 == 69 {
                values.replaceAll { $0 + 1 }
                expected = expected.mapValues { $0 + 1 }
            }
            #expect(values.count == expected.count)
            #expect(Dictionary(uniqueKeysWithValues: values.map { ($0.device, $0.value) }) == expected)
            #expect(names.allSatisfy { values[$0] == expected[$0] })
        }
    }

    @Test func `DeviceValues are equal if their values are, whichever devices are shared`() {
        var (left, right) = (DeviceValues<Int>(Self.devices), DeviceValues<Int>())
        (left["attic"], right["attic"]) = (1, 1)
        #expect(left == right)
        right["garage"] = 2
        #expect(left != right)
    }
}
