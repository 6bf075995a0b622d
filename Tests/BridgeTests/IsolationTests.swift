import EventLoop
import JSON
import Simulator
import Testing

/// One device of ten that hangs or is absent costs the other nine nothing.
@Suite struct IsolationTests {
    /// What may be wrong with the tenth device.
    enum Trouble: String, Sendable, CaseIterable {
        case hangsInConnect = "faults: [connect hangs]"
        case isAbsent = "advertise: {on: false}"
        case neverResolves = "faults: [never resolves]"
        case hangsInReads = "faults: [operation hangs]"
        case losesItsLink = "faults: [link lost while resolving]"
    }

    /// Ten sensors that notify every 20 ms; the first in the file, and by address, is the troubled one.
    private func ten(_ trouble: Trouble) -> Script {
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
        return Script(
            fleet: "peripherals:\n" + sensors.joined(separator: "\n"), "devices:\n" + devices.joined(separator: "\n"))
    }

    @Test(arguments: Trouble.allCases)
    func `the others publish as if it were not there`(trouble: Trouble) throws {
        try onStage(ten(trouble)) { _, stage in
            for number in 1...9 { try await stage.record.next("bluefleet/sensor\(number)/temperature") }
            // Also the first of them did not wait until the troubled one was given up, where that takes long.
            let failures = stage.record.all("bluefleet/sensor0/connection").filter { $0.json?["attempts"] != nil }
            if trouble != .losesItsLink { #expect(failures.isEmpty) }
            for number in 1...9 {
                for _ in 1...50 { try await stage.record.next("bluefleet/sensor\(number)/temperature") }
            }
            #expect(stage.record.all("bluefleet/sensor0/battery").isEmpty)
        }
    }
}
