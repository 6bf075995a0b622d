import BlueZ
import Bluetooth
import EventLoop
import Foundation
import Simulator
import System
import TestSupport
import TestTraits
import Testing

/// Adapters that are blocked, and the reason.
@Suite(.ownThreads) struct RadioSwitchTests {
    /// Writes the kernel's files for a switch.
    private static func show(_ folder: TemporaryFolder, soft: Bool, hard: Bool) throws {
        for (name, type) in [("rfkill0", "wlan"), ("rfkill1", "bluetooth")] {
            let values = ["type": type, "name": "hci0", "soft": soft ? "1" : "0", "hard": hard ? "1" : "0"]
            try FileManager.default.createDirectory(
                atPath: folder.path(name), withIntermediateDirectories: true)
            for (key, value) in values { try folder.write(value + "\n", to: "\(name)/\(key)") }
        }
    }

    @Test func `RadioSwitch reads the kernel's switches for Bluetooth`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try Self.show(folder, soft: true, hard: false)
        #expect(RadioSwitch.all(in: folder.path).map(\.radio) == ["hci0"])
        #expect(RadioSwitch.all(in: folder.path).map(\.block) == [.soft])
        try Self.show(folder, soft: true, hard: true)
        #expect(RadioSwitch.all(in: folder.path).map(\.block) == [.hard])
        try Self.show(folder, soft: false, hard: false)
        #expect(RadioSwitch.all(in: folder.path).map(\.block) == [nil])
        #expect(RadioSwitch.all(in: "/nowhere") == [])
    }

    /// Returns the reason of the state `poweredOff`, and the obstacle of the adapter.
    private static func reason(
        _ fleet: String, switches: String = "/nowhere"
    ) throws -> (reason: String, obstacle: String?) {
        try withFixture(fleet) { _, fixture in
            let central = Central(bus: fixture.bus, adapters: nil, radioSwitches: switches, loop: fixture.loop)
            let reasons = Mailbox<String>()
            await central.onStateChange { state, reason in
                if state == .poweredOff { reasons.put(reason) }
            }
            await central.start()
            while await central.state != .poweredOn { await fixture.loop.sleep(for: .milliseconds(1)) }
            try await fixture.simulation.direct { scene throws(SceneError) in
                try scene.switchPower(of: "hci0", on: false)
            }
            let reason = await reasons.next() ?? ""
            let obstacle = await central.availableAdapters.first?.obstacle
            await central.close()
            return (reason, obstacle)
        }
    }

    @Test func `the reason of poweredOff says why the adapter is off`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try Self.show(folder, soft: true, hard: false)
        let soft = try Self.reason(oneSensor, switches: folder.path)
        try Self.show(folder, soft: false, hard: true)
        let hard = try Self.reason(oneSensor, switches: folder.path)
        #expect(soft.reason.hasSuffix("is blocked by rfkill: sudo rfkill unblock bluetooth"))
        #expect(soft.obstacle == "blocked by rfkill: sudo rfkill unblock bluetooth")
        #expect(hard.reason.hasSuffix("is switched off by a switch or key of the machine"))
        let other = try Self.reason(oneSensor)
        #expect(other.reason.hasSuffix("is off: bluetoothctl power on"))
    }

    @Test func `the reason of poweredOff comes from bluetoothd if the kernel's switches cannot be read`() throws {
        let fleet =
            "bluetoothd: \"5.82\"\n"
            + oneSensor.replacing("\"00:00:5E:00:53:01\"", with: "\"00:00:5E:00:53:01\", faults: [power blocked]")
        let reason = try Self.reason(fleet).reason
        #expect(reason.hasSuffix("is blocked by rfkill: sudo rfkill unblock bluetooth"))
    }
}
