import Codec
import Configuration
import EventLoop
import Glibc

/// `bluefleet doctor`: checks everything that the bridge needs.
struct Doctor: Command {
    static let name = "doctor"
    static let summary = "checks everything that the bridge needs"
    static let details = [
        """
        Prints one result per check: ok, advice, or wrong with the command that fixes the problem. The exit status is \
        0 if nothing is wrong. Permissions are those of the current user; sudo -u bluefleet checks those of the service.
        """
    ]
    static let operands = [ConfigurationFile.operand]
    static let options = [brief, Option.config, MessageBus.option, .json]
    static let examples = ["bluefleet doctor", "sudo -u bluefleet bluefleet doctor --json"]

    private static let brief = Option("brief", "skip the scan, e.g. for a frequent health check")

    private let file: ConfigurationFile
    private let bus: String
    private let isSystemBus: Bool
    private let scans: Bool
    private let asJSON: Bool

    init(_ arguments: Arguments) throws(Failure) {
        file = try ConfigurationFile(operandOf: arguments)
        bus = try MessageBus.address(arguments)
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
            note(SystemChecks.findings())
            let (configuration, found) = examineConfiguration()
            note(found)
            if let configuration {
                note(StateDirectoryChecks.findings(configuration, of: file))
                note(SpoolChecks.findings(configuration, of: file))
            }
            if let configuration, await DecidingGateway.runs(configuration, on: home.loop) {
                note([DecidingGateway.finding])
            } else {
                Progress.show("Checking Bluetooth")
                note(
                    await BluetoothChecks(bus: bus, isSystemBus: isSystemBus, scans: scans, loop: home.loop).findings(
                        configuration))
                if isSystemBus {
                    note(BluetoothSettings.findings())
                    note(await BluetoothServiceChecks.findings(on: home.loop))
                }
            }
            if let configuration {
                Progress.show("Connecting to the broker")
                note(await BrokerChecks(configuration, of: file, on: home.loop).findings())
                note(await SeatChecks.findings(configuration))
                note(DashboardChecks.findings(configuration))
            }
            try conclude(findings)
        }
    }

    /// Returns the configuration, which is nil if the file has mistakes, and the result of the check.
    private func examineConfiguration() -> (Configuration?, [Diagnosis]) {
        do throws(ConfigurationError) {
            let configuration = try file.read()
            let count = configuration.devices.count
            let warnings = configuration.warnings.map { Diagnosis.advice("configuration", $0.text) }
            return (
                configuration,
                [.ok("configuration", "\(file.name): \(count == 1 ? "1 device" : "\(count) devices")")] + warnings
            )
        } catch {
            let first = error.mistakes.first?.text ?? "\(file.name) cannot be read"
            let more = error.mistakes.count > 1 ? " (and \(error.mistakes.count - 1) more)" : ""
            let remedy = error.mistakes.first?.unreadable.map { NamedFile(path: $0).remedy } ?? file.remedy
            return (nil, [.wrong("configuration", first + more, remedy, status: file.failure(error).status)])
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
        throw Failure(first, wrong.count == 1 ? "1 check failed" : "\(wrong.count) checks failed")
    }
}
