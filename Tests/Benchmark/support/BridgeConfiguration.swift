import Foundation
import System
import TestSupport

/// The configuration of Bluefleet: devices of one kind, whose values begin with the time at which they were sent.
struct BridgeConfiguration {
    let text: String

    init(_ mode: Subject.Mode, _ rig: Rig) {
        let bluetooth = [
            "connections: 100", "notify: \(mode.usesDescriptors ? "descriptor" : "signals")",
            mode.pause.map { "moderation: \($0)ms" },
        ]
        let lines = [
            "gateway: benchmark",
            "state_directory: \(rig.folder.path)/state",
            "log: error",
            "mqtt: {url: \"mqtt://127.0.0.1:\(rig.broker.port)\", qos: \(mode.qualityOfService)}",
            "bluetooth: {\(bluetooth.compactMap(\.self).joined(separator: ", "))}",
            "profiles:",
            "  sensor:",
            "    characteristics:",
            "      temperature:",
            "        service: 181A",
            "        uuid: b1f70001-5f1e-4c7d-9a52-0c1f1e57f00d",
            "        subscribe: true",
            "        format: \(mode.fields.format)",
            "devices:",
            mode.listens ? "  beacon: {address: \"\(Self.address(0xE0, 0))\", connect: never}" : nil,
        ]
        let devices = (0..<rig.fleet.peripherals).map { number in
            "  \(String(format: "d%04d", number)): {address: \"\(Self.address(0xC0, number))\", profile: sensor}"
        }
        text = (lines.compactMap(\.self) + devices).joined(separator: "\n") + "\n"
    }

    private static func address(_ kind: Int, _ number: Int) -> String {
        String(format: "%02X:00:00:00:%02X:%02X", kind, number >> 8, number & 255)
    }
}
