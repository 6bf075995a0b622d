import EventLoop
import System

/// Checks the systemd unit of bluetoothd.
///
/// The unit of Debian 12 does not restart bluetoothd after a crash.
enum BluetoothServiceChecks {
    static func findings(on loop: EventLoop, isolation: isolated (any Actor)? = #isolation) async -> [Diagnosis] {
        let question = ["show", "bluetooth.service", "--property=LoadState,Restart"]
        guard let path = ChildProcess.path(of: "systemctl"),
            let output = await ProgramOutput.of(path, question, on: loop)
        else { return [] }
        switch output {
        case .text(let text): return findings(text)
        case .nothing(let limit): return [.advice("service", "systemctl did not answer within \(limit.text)")]
        }
    }

    /// Checks the output of `systemctl show`, which has one property per line.
    static func findings(_ text: String) -> [Diagnosis] {
        let lines = text.split(separator: "\n")
        guard lines.contains("LoadState=loaded") else { return [] }
        guard lines.contains("Restart=no") else {
            return [.ok("service", "systemd restarts bluetoothd after a crash")]
        }
        return [
            .advice(
                "service", "systemd does not restart bluetoothd after a crash",
                "sudo systemctl edit bluetooth, add [Service] and Restart=always")
        ]
    }
}
