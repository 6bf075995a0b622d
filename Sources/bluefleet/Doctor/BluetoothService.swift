internal import EventLoop

/// bluetoothd as a service of systemd: Debian's unit leaves it down when it has ended by a fault of its own.
enum BluetoothService {
    static func findings(on loop: EventLoop, isolation: isolated (any Actor)? = #isolation) async -> [Diagnosis] {
        let question = ["show", "bluetooth.service", "--property=LoadState,Restart"]
        guard let path = ChildProcess.path(of: "systemctl"),
            let output = await ProgramOutput.of(path, question, on: loop)
        else { return [] }
        switch output {
        case .text(let text): return findings(text)
        case .nothing(let limit): return [.advice("service", "systemctl does not answer within \(limit.text)")]
        }
    }

    /// - Parameter text: What `systemctl show` says of the unit, a property in each line.
    static func findings(_ text: String) -> [Diagnosis] {
        let lines = text.split(separator: "\n")
        guard lines.contains("LoadState=loaded") else { return [] }
        guard lines.contains("Restart=no") else {
            return [.ok("service", "systemd starts bluetoothd again if it ends")]
        }
        return [
            .advice(
                "service", "bluetoothd stays down if it ends by a fault of its own",
                "sudo systemctl edit bluetooth, [Service]: Restart=always")
        ]
    }
}
