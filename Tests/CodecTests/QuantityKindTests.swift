import Codec
import Testing

@Suite struct QuantityKindTests {
    private func kind(of name: String, in format: Format?) throws -> Quantity.Kind? {
        try #require(format?.quantities.first { $0.name == name && $0.form == .boolean }).kind
    }

    @Test func `a boolean has the kind that its name tells`() throws {
        let status = Characteristics.definition(named: "battery_level_status")?.format
        #expect(try kind(of: "battery_fault", in: status) == .condition(.problem))
        #expect(try kind(of: "battery_present", in: status) == nil)
        let bthome = Advertisements.all.first { $0.name == "bthome" }?.format
        #expect(try kind(of: "window", in: bthome) == .condition(.window))
        #expect(try kind(of: "generic", in: bthome) == nil)
    }
}
