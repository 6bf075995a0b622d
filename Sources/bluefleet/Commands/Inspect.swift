internal import BlueZ
internal import Bluetooth
internal import Bridge
internal import Codec
internal import Configuration
internal import EventLoop
internal import JSON

/// `bluefleet inspect`: what a device offers.
struct Inspect: Command {
    static let name = "inspect"
    static let summary = "a device's services, characteristics and values"
    static let details = [
        """
        Connects, reads what can be read, and disconnects. With --yaml it prints an entry for the configuration, which \
        works as it is, appended to a file that has devices already, too: names and what is wanted are then yours to \
        change.
        """
    ]
    static let operands = [Operand.address]
    static let options = [yaml, configuration] + Target.options + [.json]
    static let examples = [
        "bluefleet inspect C0:00:00:00:00:01", "bluefleet inspect C0:00:00:00:00:01 --yaml >> bluefleet.yaml",
    ]

    private static let yaml = Option("yaml", "an entry for the configuration's devices")

    private static let configuration = Option(
        "config", value: "FILE", "where the entry shall go; without it \(ConfigurationFile.standard)")

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
        case (true, true): throw Failure(.usage, "--yaml and --json exclude each other")
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

    private func entry(of device: InspectedDevice) -> DeviceEntry {
        // What is wrong with the configuration is not this command's business.
        let configured = (try? Configuration(file: file.path))?.devices ?? []
        if let twin = configured.first(where: { $0.address == device.address }) {
            StandardStream.error.print(
                "\(Program.name): \(device.address) is in \(file.name) already: \(twin.name.quotedForMessage)")
        }
        let others = configured.filter { $0.address != device.address }
        return DeviceEntry(device, besides: Set(others.map(\.name)))
    }
}
