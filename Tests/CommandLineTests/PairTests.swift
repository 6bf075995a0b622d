import TestSupport
import Testing

@Suite struct PairTests {
    private static func house(_ pairing: String) throws -> SimulatedHouse {
        try SimulatedHouse(
            """
            peripherals:
              lock:
                address: C0:00:00:00:00:01
                pairing: \(pairing)
                services:
                  - uuid: 181A
                    characteristics: [{uuid: temperature, flags: [encrypt-read], value: 21}]
            """)
    }

    @Test func `a bond is made and ended`() throws {
        let house = try Self.house("just works")
        let pair = try house.run("pair", "C0:00:00:00:00:01")
        #expect(pair.status == 0)
        #expect(pair.output == "C0:00:00:00:00:01 is paired\n")
        #expect(try house.run("unpair", "C0:00:00:00:00:01").output == "C0:00:00:00:00:01 is no longer paired\n")
        let again = try house.run("unpair", "C0:00:00:00:00:01")
        #expect(again.status == 69)
        #expect(again.error.contains("there is no bond with it"))
    }

    @Test func `a script gives the passkey, and a wrong one is refused`() throws {
        let house = try Self.house("passkey 012345")
        #expect(try house.run("pair", "C0:00:00:00:00:01", "--passkey", "999999").status == 77)
        let pair = try house.run("pair", "C0:00:00:00:00:01", "--passkey", "012 345", "--json")
        #expect(pair.output == #"{"address":"C0:00:00:00:00:01","paired":true}"# + "\n")
        #expect(try house.run("pair", "C0:00:00:00:00:01", "--passkey", "1234567").status == 64)
    }

    @Test func `a passkey to be entered at the device is told`() throws {
        let pair = try Self.house("display").run("pair", "C0:00:00:00:00:01")
        #expect(pair.status == 0)
        #expect(pair.error.wholeMatch(of: /Enter \d{6} at the device.\n/) != nil)
    }
}
