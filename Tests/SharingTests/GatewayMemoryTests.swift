import Contract
import Sharing
import System
import TestSupport
import Testing

/// The memory of a gateway for each shared device, in a process of its own.
@Suite struct GatewayMemoryTests {
    private static let devices = 2000

    /// Returns a fleet of gateways that receive all devices, after it has found the owners.
    private static func fleet(_ gateways: [String]) -> SmallFleet {
        let names = (0..<devices).map { "house/room with a long name \($0)" }
        let fleet = SmallFleet(devices: Dictionary(uniqueKeysWithValues: names.map { ($0, .never) }))
        for (number, gateway) in gateways.enumerated() {
            let levels = names.enumerated().map { ($0.element, $0.offset % gateways.count == number ? -50 : -70) }
            fleet.levels[gateway] = Dictionary(uniqueKeysWithValues: levels)
            fleet.start(gateway)
        }
        fleet.run(.seconds(30))
        return fleet
    }

    /// Returns the memory of a gateway for each device, in bytes.
    private static func memory(of gateway: String, in fleet: SmallFleet) -> Int {
        let before = Heap.bytesInUse
        fleet.kill(gateway)
        return (before - Heap.bytesInUse) / devices
    }

    private static let gateways = (0..<10).map { "gateway\($0)" }

    @Test func `a gateway that does not decide needs less than 300 bytes for each shared device`() async {
        await #expect(processExitsWith: .success) {
            let fleet = Self.fleet(Self.gateways)
            #expect(fleet.deciders == ["gateway0"])
            let memory = Self.memory(of: "gateway9", in: fleet)
            #expect(memory < 300, "\(memory) bytes")
        }
    }

    @Test func `the decider needs less than 600 bytes for each device, and 50 for each device and gateway`() async {
        await #expect(processExitsWith: .success) {
            let fleet = Self.fleet(Self.gateways)
            let memory = Self.memory(of: "gateway0", in: fleet)
            #expect(memory < 600 + 50 * Self.gateways.count, "\(memory) bytes")
        }
    }
}
