import BlueZ
import Bluetooth
import Bridge
import Codec
import Configuration
import EventLoop
import JSON
import Survey
import System

/// `bluefleet inspect`: shows the services and characteristics of a device.
struct Inspect: Command {
    static let name = "inspect"
    static let summary = "shows the services, characteristics and values of a device"
    static let details = [
        """
        Connects, reads every readable characteristic, and disconnects. With --yaml it prints a device entry for the \
        configuration: the advertisements if they contain values, and the characteristics with values that the \
        advertisements lack. A device that only advertises needs no connection. The entry can be appended to a file as it \
        is, even if the file already has devices. Change its names and settings as needed.
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
        let recognition = ProfileRecognition(ProfileLibrary(beside: file.path))
        try onRadio(target.bus) { radio in
            switch form {
            case .text: StandardStream.output.print(try await inspect(by: radio).text(recognition))
            case .yaml: StandardStream.output.print(try await entry(by: radio).text)
            case .json: StandardStream.output.print(recognition.json(try await inspect(by: radio)).description)
            }
        }
    }

    private func inspect(by radio: isolated Radio) async throws(CentralError) -> InspectedDevice {
        let peripheral = try await radio.connect(to: target.address, within: target.limit)
        let device = try await InspectedDevice(peripheral) { done, count in
            Progress.show("Reading \(done + 1) of \(count) characteristics")
        }
        Progress.clear()
        return device
    }

    private func entry(by radio: isolated Radio) async throws(CentralError) -> ProposedEntry {
        let nearby = try await radio.listen(to: target.address, within: target.limit)
        let advertises = nearby.map { !$0.readings.isEmpty || $0.needsKey } ?? false
        // Most devices that advertise values do not accept connections.
        let limit = min(target.limit, .seconds(20))
        if advertises { radio.limitConnecting(to: target.address, to: limit) }
        do throws(CentralError) {
            return entry(try await inspect(by: radio), nearby)
        } catch {
            guard let nearby, advertises else { throw error }
            Progress.clear()
            let reason =
                error.code == .cancelled ? "\(target.address): no connection within \(limit.text)" : error.description
            StandardStream.error.print("\(Program.name): \(reason); the entry uses only its advertisements")
            return entry(nil, nearby)
        }
    }

    private func entry(_ device: InspectedDevice?, _ nearby: NearbyDevice?) -> ProposedEntry {
        let address = target.address
        // Mistakes in the configuration do not matter here.
        let configured = (try? file.read(checkingFiles: false))?.devices ?? []
        if let twin = configured.first(where: { $0.address == address }) {
            StandardStream.error.print(
                "\(Program.name): \(file.name) already contains \(address): \(twin.name.quotedForMessage)")
        }
        let others = configured.filter { $0.address != address }
        return ProposedEntry(address, device, nearby, besides: Set(others.map(\.name)))
    }
}
