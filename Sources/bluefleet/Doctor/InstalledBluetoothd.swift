import EventLoop
import System

/// The version of the installed bluetoothd, which is not available over D-Bus.
enum InstalledBluetoothd {
    private static let places = ["/usr/libexec/bluetooth/bluetoothd", "/usr/lib/bluetooth/bluetoothd", "bluetoothd"]

    static var path: String? { places.lazy.compactMap { ChildProcess.path(of: $0) }.first }

    static func findings(on loop: EventLoop, isolation: isolated (any Actor)? = #isolation) async -> [Diagnosis] {
        guard let path,
            let output = await ProgramOutput.of(path, ["--version"], on: loop)
        else { return [] }
        switch output {
        case .text(let text): return findings(text.filter { !$0.isNewline })
        case .nothing(let limit):
            return [.advice("bluetoothd", "\(path) --version did not answer within \(limit.text)")]
        }
    }

    private static func findings(_ text: String) -> [Diagnosis] {
        let numbers = text.split(separator: ".").compactMap { Int($0) }
        guard numbers.count == 2 else { return [] }
        if (numbers[0], numbers[1]) < (5, 66) {
            return [
                .wrong("bluetoothd", "version \(text) is too old: 5.66 or later is required", "sudo apt full-upgrade")
            ]
        }
        return [.ok("bluetoothd", "version \(text)")]
    }
}
