internal import Codec
internal import Configuration
internal import EventLoop
internal import Glibc

/// `bluefleet doctor`: whether everything is there that the bridge needs.
struct Doctor: Command {
    static let name = "doctor"
    static let summary = "checks everything that the bridge needs, one by one"
    static let details = [
        """
        Each line says ok, gives advice, or tells what is wrong and the command that mends it. The exit status is 0 \
        where nothing is wrong. Rights are those of whoever runs it: for the service's, sudo -u bluefleet.
        """
    ]
    static let options = [brief, Option.config, MessageBus.option, .json]
    static let examples = ["bluefleet doctor", "sudo -u bluefleet bluefleet doctor --json"]

    private static let brief = Option("brief", "without the scan, for checks that come again and again")

    private let file: ConfigurationFile
    private let bus: String
    private let isSystemBus: Bool
    private let scans: Bool
    private let asJSON: Bool

    init(_ arguments: Arguments) {
        file = ConfigurationFile(arguments)
        bus = MessageBus.address(arguments)
        isSystemBus = MessageBus.isSystem(bus)
        scans = !arguments.contains(Self.brief)
        asJSON = arguments.contains(.json)
    }

    func run() throws(Failure) {
        try onLoop { home in
            try home.loop.onRequests { request in
                Progress.clear()
                if case .stop(let status) = request { exit(status.rawValue) }
            }
            var findings: [Diagnosis] = []
            func note(_ found: [Diagnosis]) {
                Progress.clear()
                if !asJSON { for diagnosis in found { StandardStream.output.print(diagnosis.text) } }
                findings += found
            }
            note(SystemExamination.findings())
            let (configuration, found) = examineConfiguration()
            note(found)
            if let configuration { note(StateExamination.findings(configuration, of: file)) }
            Progress.show("Looking at Bluetooth")
            note(
                await BluetoothExamination(bus: bus, isSystemBus: isSystemBus, scans: scans, loop: home.loop).findings(
                    configuration))
            if isSystemBus {
                note(BluetoothSettings.findings())
                note(await BluetoothService.findings(on: home.loop))
            }
            if let configuration {
                Progress.show("Connecting to the broker")
                note(await BrokerExamination(configuration, of: file, on: home.loop).findings())
            }
            try conclude(findings)
        }
    }

    /// What the file says; nil where it has mistakes.
    private func examineConfiguration() -> (Configuration?, [Diagnosis]) {
        do throws(ConfigurationError) {
            let configuration = try file.read()
            let count = configuration.devices.count
            return (
                configuration,
                [.ok("configuration", "\(file.name): \(count == 1 ? "1 device" : "\(count) devices")")]
            )
        } catch {
            let first = error.mistakes.first?.text ?? "\(file.name) cannot be read"
            let more = error.mistakes.count > 1 ? ", and \(error.mistakes.count - 1) more" : ""
            return (nil, [.wrong("configuration", first + more, file.remedy, status: file.failure(error).status)])
        }
    }

    private func conclude(_ findings: [Diagnosis]) throws(Failure) {
        let wrong = findings.compactMap { diagnosis -> ExitStatus? in
            if case .wrong(let status) = diagnosis.state { status } else { nil }
        }
        if asJSON {
            let result: Value = [
                "ok": .boolean(wrong.isEmpty), "checks": .list(findings.map { .record($0.record) }),
            ]
            StandardStream.output.print(result.description)
        }
        guard let first = wrong.first else { return }
        throw Failure(first, wrong.count == 1 ? "1 thing is wrong" : "\(wrong.count) things are wrong")
    }
}
