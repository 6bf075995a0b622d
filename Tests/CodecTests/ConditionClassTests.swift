import Codec
import Testing

@Suite struct ConditionClassTests {
    /// The class of a condition that a format shows.
    private func deviceClass(of name: String, in format: Format?) throws -> String? {
        try #require(format?.quantities.first { $0.name == name && $0.kind == .boolean }).homeAssistant?.deviceClass
    }

    @Test func `conditions are of the classes of binary sensors`() throws {
        let status = Characteristics.definition(named: "battery_level_status")?.format
        #expect(try deviceClass(of: "battery_fault", in: status) == "problem")
        #expect(try deviceClass(of: "battery_present", in: status) == nil)
        let bthome = Advertisements.all.first { $0.name == "bthome" }?.format
        #expect(try deviceClass(of: "window", in: bthome) == "window")
        #expect(try deviceClass(of: "generic", in: bthome) == nil)
    }
}
