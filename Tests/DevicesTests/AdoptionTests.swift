import Bluetooth
import Codec
import Configuration
import System
import Testing

@testable import Devices

/// The fleet rules `decoded`, `rssi` and `permit`.
@Suite struct AdoptionTests {
    /// A BTHome thermometer, an iBeacon, and a device without a known format, from the Bluetooth SIG's and Apple's layouts.
    private static let packets = [
        "thermometer": "020106 0916d2fc40016402ca09",
        "beacon": "0201061aff4c000215000102030405060708090a0b0c0d0e0f00010002c5",
        "unknown": "020106 05ffffff0102",
    ]

    private func sighting(_ packet: String, rssi: Int? = -60, at address: UInt64 = 0xC000_0000_0001) throws -> Sighting
    {
        let bytes = try #require(Self.packets[packet].flatMap { [UInt8](hexadecimal: $0) })
        var advertisement = try Advertisement(payload: bytes)
        advertisement.rssi = rssi
        return Sighting(address: Address(address), kind: .random, adapter: "hci0", advertisement: advertisement)
    }

    private func rules(_ yaml: String) throws -> [Configuration.FleetRule] {
        try Configuration(yaml: "fleet: [\(yaml)]").fleet
    }

    @Test(arguments: [("thermometer", true), ("beacon", false), ("unknown", false)])
    func `decoded admits sensors with a built-in format only`(packet: String, isAdopted: Bool) throws {
        let device = try rules("{match: {decoded: true}}").device(of: sighting(packet))
        #expect((device != nil) == isAdopted)
    }

    @Test(arguments: [(-85, true), (-86, false)])
    func `rssi is the weakest signal`(rssi: Int, isAdopted: Bool) throws {
        let device = try rules("{match: {decoded: true, rssi: -85}}").device(of: sighting("thermometer", rssi: rssi))
        #expect((device != nil) == isAdopted)
    }

    @Test func `an adopted device keeps its rule after a restart, with decoded and rssi`() throws {
        let configuration = try Configuration(
            yaml: """
                fleet:
                  - {match: {decoded: true, rssi: -50}, title: near}
                  - {match: {decoded: true}, title: far}
                """)
        var roster = Roster()
        let adopted = roster.adopt(
            [try sighting("thermometer", rssi: -70)], into: Configuration.DeviceList(), by: configuration.fleet)
        #expect(adopted.count == 1)
        let loaded = Roster(roster.json)
        #expect(loaded.adopted == roster.adopted)
        let rule = configuration.fleet.first { rule in
            loaded.adopted.allSatisfy { rule.match.admits($0.address, $0.advertisement, isDecoded: $0.isDecoded) }
        }
        #expect(rule?.settings.label.title == "far")
    }

    @Test func `a closed rule adopts no device, and no later rule does instead`() throws {
        let rules = try rules("{match: {decoded: true}, permit: 10m}, {match: {decoded: true}}")
        #expect(try rules.device(of: sighting("thermometer")) { $0.permit == nil } == nil)
        #expect(try rules.device(of: sighting("thermometer")) { $0.permit != nil } != nil)
    }

    @Test func `permit adopts for its time after the start and after a request`() {
        func minute(_ number: Int64) -> Instant { Instant(nanoseconds: number * 60_000_000_000) }
        let limit = Duration.seconds(600)
        var permission = AdoptionPermission(at: minute(0))
        #expect(permission.isOpen(nil, at: minute(100)))
        #expect(permission.isOpen(limit, at: minute(9)) && !permission.isOpen(limit, at: minute(10)))
        permission.set(to: .seconds(120), at: minute(20))
        #expect(permission.isOpen(limit, at: minute(21)) && !permission.isOpen(limit, at: minute(22)))
        permission.set(to: .zero, at: minute(20))
        #expect(!permission.isOpen(limit, at: minute(20)))
        permission.open(at: minute(30))
        #expect(permission.isOpen(limit, at: minute(31)))
    }

    @Test func `a rule with only a signal is a mistake`() {
        #expect(throws: ConfigurationError.self) { try rules("{match: {rssi: -85}}") }
        #expect(throws: ConfigurationError.self) { try rules("{match: {decoded: false}}") }
    }
}
