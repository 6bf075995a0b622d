import EventLoop
import JSON
import Simulator
import TestTraits
import Testing

/// A faulty device does not affect the others.
@Suite(.ownThreads) struct IsolationTests {
    /// The fault of the first device.
    enum Trouble: String, Sendable, CaseIterable {
        case hangsInConnect = "faults: [connect hangs]"
        case isAbsent = "advertise: {on: false}"
        case neverResolves = "faults: [never resolves]"
        case hangsInReads = "faults: [operation hangs]"
        case losesItsLink = "faults: [link lost while resolving]"
    }

    /// Ten sensors that notify every 20 ms; the first one, also by address, has the fault.
    private func ten(_ trouble: Trouble) -> Scenario {
        func sensor(_ number: Int, _ keys: String) -> String {
            """
              sensor\(number):
                address: C0:00:00:00:01:0\(number)
                pace: {connect: 20ms, resolve: 20ms, read: 1ms, subscribe: 1ms, disconnect: 10ms}
                \(keys)
                services:
                  - uuid: 181A
                    characteristics: [{uuid: temperature, flags: [read, notify], value: 20, notify: 20ms}]
                  - {uuid: 180F, characteristics: [{uuid: battery_level, flags: [read], value: 90}]}
            """
        }
        let heard = "advertise: {every: 10ms}"
        let keys =
            switch trouble {
            case .isAbsent: trouble.rawValue
            default: "\(trouble.rawValue)\n    \(heard)"
            }
        let sensors = [sensor(0, keys)] + (1...9).map { sensor($0, heard) }
        let devices = (0...9).map { number in
            """
              sensor\(number):
                address: C0:00:00:00:01:0\(number)
                characteristics:
                  battery: {service: 180F, uuid: 2A19, read: 1h}
                  temperature: {service: 181A, uuid: 2A6E, subscribe: true}
            """
        }
        return Scenario(
            fleet: "peripherals:\n" + sensors.joined(separator: "\n"), "devices:\n" + devices.joined(separator: "\n"))
    }

    @Test(arguments: Trouble.allCases)
    func `nine devices publish without a delay while one has a fault`(trouble: Trouble) throws {
        try withFixture(ten(trouble)) { fixture in
            for number in 1...9 { try await fixture.recorder.next("bluefleet/sensor\(number)/temperature") }
            // The first reading did not wait for the failure of the faulty device.
            let failures = fixture.recorder.all("bluefleet/sensor0/connection").filter { $0.json?["attempts"] != nil }
            if trouble != .losesItsLink { #expect(failures.isEmpty) }
            for number in 1...9 {
                for _ in 1...50 { try await fixture.recorder.next("bluefleet/sensor\(number)/temperature") }
            }
            #expect(fixture.recorder.all("bluefleet/sensor0/battery").isEmpty)
        }
    }
}
