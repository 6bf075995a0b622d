import BlueZ
import Bluetooth
import Bridge
import Codec
import Configuration
import EventLoop
import JSON

/// `bluefleet inspect`: shows the services and characteristics of a device.
struct Inspect: Command {
    static let name = "inspect"
    static let summary = "shows the services, characteristics and values of a device"
    static let details = [
        """
        Connects, reads every readable characteristic, and disconnects. With --yaml it prints a device entry for the \
        configuration. The entry can be appended to a file as it is, even if the file already has devices. Change its \
        names and settings as needed.
        """
    ]
    static let operands = [Target.operand]
    static let options = [yaml] + Target.options + [.json]
    static let examples = [
        "bluefleet inspect C0:00:00:00:00:01", "bluefleet inspect C0:00:00:00:00:01 --yaml >> bluefleet.yaml",
    ]

    private static let yaml = Option("yaml", "print a device entry for the configuration")

    private enum Form {
        case text, yaml, json
    }

    private let target: Target
    private let file: ConfigurationFile
    private let form: Form

    init(_ arguments: Arguments) throws(Failure) {
        target = try Target(arguments)
        file = ConfigurationFile(arguments)
        switch (arguments.contains(Self.yaml), arguments.contains(.json)) {
        case (true, true): throw Failure(.usage, "--yaml and --json exclude each other: remove one")
        case (true, false): form = .yaml
        case (false, true): form = .json
        case (false, false): form = .text
        }
    }

    func run() throws(Failure) {
        try onRadio(target.bus) { radio in
            let peripheral = try await radio.connect(to: target.address, within: target.limit)
            let device = try await InspectedDevice(peripheral) { done, count in
                Progress.show("Reading \(done + 1) of \(count) characteristics")
            }
            Progress.clear()
            switch form {
            case .text: StandardStream.output.print(device.text)
            case .yaml: StandardStream.output.print(entry(of: device).text)
            case .json: StandardStream.output.print(device.json.description)
            }
        }
    }

    private func entry(of device: InspectedDevice) -> ProposedEntry {
        // Mistakes in the configuration do not matter here.
        let configured = (try? Configuration(file: file.path))?.devices ?? []
        if let twin = configured.first(where: { $0.address == device.address }) {
            StandardStream.error.print(
                "\(Program.name): \(file.name) already contains \(device.address): \(twin.name.quotedForMessage)")
        }
        let others = configured.filter { $0.address != device.address }
        return ProposedEntry(device, besides: Set(others.map(\.name)))
    }
}
