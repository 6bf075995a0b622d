import BlueZ
import Bluetooth
import Bridge
import Codec
import Configuration
import Devices
import EventLoop
import Glibc
import JSON
import System

/// `bluefleet try`: asks a device each question of a profile once.
struct Try: Command {
    static let name = "try"
    static let summary = "asks the questions of a profile, and shows the answers"
    static let details = [
        """
        Connects, asks each question, reads each value, and disconnects. Prints the bytes of each question and answer in \
        hexadecimal digits, and the values. Commands are never sent. Bytes that contain a PIN, or that are encrypted with \
        your key, are shown as (secret).
        """,
        """
        With --record, the answers are written to a new file: a simulated peripheral plays them with replay: FILE, and \
        they can be copied into the key tests of a profile. The file contains neither the address of the device nor \
        secrets. Some devices send serial numbers: look through the file before you publish it.
        """,
    ]
    static let operands = [profile, Target.operand]
    static let options = [record, parameters, pinFile, keyFile] + Target.options + [.json]
    static let examples = [
        "bluefleet try jbd/battery A4:C1:37:00:00:01",
        "bluefleet try renogy/bt1 charger --with station=1 --record charger.yaml",
    ]

    private static let profile = Operand("PROFILE", "the name of the profile, as bluefleet profiles lists it")
    private static let record = Option("record", value: "FILE", "write the questions and answers to this new file")
    private static let parameters = Option(
        "with", value: "NAME=VALUE", "the parameters of the profile, separated by commas")
    private static let pinFile = Option("pin-file", value: "FILE", "the file that contains the PIN of the device")
    private static let keyFile = Option("key-file", value: "FILE", "the file that contains the key of the device")

    private let profile: ShippedProfile
    private let parameters: [(name: String, value: String)]
    private let device: Configuration.Device
    private let target: Target
    private let file: String?
    private let asJSON: Bool

    init(_ arguments: Arguments) throws(Failure) {
        let configuration = ConfigurationFile(arguments)
        profile = try ProfileLibrary(beside: configuration.path).loaded(arguments[Self.profile])
        target = try Target(arguments)
        parameters = try Self.parameters(arguments[Self.parameters])
        device = try Self.device(
            profile.name, at: target.address, parameters,
            pinFile: arguments[Self.pinFile] ?? target.device?.pinFile?.path,
            keyFile: arguments[Self.keyFile] ?? target.device?.keyFile?.path, besides: configuration)
        file = arguments[Self.record]
        asJSON = arguments.contains(.json)
        if let file, unsafe access(file, F_OK) == 0 {
            throw Failure(.usage, "\(file.printable) exists already: name another file, or remove it")
        }
    }

    /// Returns the parameters of the text `station=1,head=30`.
    private static func parameters(_ text: String?) throws(Failure) -> [(name: String, value: String)] {
        var parameters: [(name: String, value: String)] = []
        for part in (text ?? "").split(separator: ",") {
            let words = part.split(separator: "=", maxSplits: 1).map(String.init)
            guard words.count == 2 else {
                throw Failure(
                    .usage, "--with: expected NAME=VALUE, such as station=1, found \(String(part).quotedForMessage)")
            }
            parameters.append((words[0], words[1]))
        }
        return parameters
    }

    /// Returns a device that has only the profile.
    private static func device(
        _ profile: String, at address: Address, _ parameters: [(name: String, value: String)], pinFile: String?,
        keyFile: String?, besides file: ConfigurationFile
    ) throws(Failure) -> Configuration.Device {
        var entry = Record([("address", .string(address.description)), ("profile", .string(profile))])
        if !parameters.isEmpty {
            entry["with"] = .record(Record(parameters.map { ($0.name, .string($0.value)) }))
        }
        entry["pin_file"] = try pinFile.map { (path) throws(Failure) in .string(try Self.absolute(path)) }
        entry["key_file"] = try keyFile.map { (path) throws(Failure) in .string(try Self.absolute(path)) }
        // JSON is valid YAML.
        let document: Value = ["devices": ["device": .record(entry)]]
        do throws(ConfigurationError) {
            let configuration = try Configuration(yaml: document.description, file: file.path, checkingFiles: true)
            guard let device = configuration.devices.first else { preconditionFailure("the text has one device") }
            return device
        } catch {
            // The positions are those of a text that the user does not see.
            throw Failure(.usage, error.mistakes.map(\.message).joined(separator: "\n"))
        }
    }

    /// Returns the path of a file on the command line, which is relative to the present folder.
    private static func absolute(_ path: String) throws(Failure) -> String {
        guard let resolved = unsafe realpath(path, nil) else {
            throw Failure(.unavailable, "cannot read \(path.printable): \(SystemError("", errno).reason)")
        }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }

    func run() throws(Failure) {
        let secrets: QuestionSecrets
        do throws(InvalidValue) {
            secrets = try device.questionSecrets()
        } catch {
            throw Failure(.unavailable, error.message)
        }
        try onRadio(target.bus) { radio in
            let peripheral = try await radio.connect(to: target.address, within: target.limit)
            let trial = ProfileTrial(device.settings, secrets, on: peripheral, loop: radio.loop) { result in
                if !asJSON { StandardStream.output.print(result.text) }
            }
            do {
                try await trial.run()
            } catch {
                try finish(trial.results, radio.loop.timestamp)
                throw error
            }
            try finish(trial.results, radio.loop.timestamp)
            let failures = trial.results.filter(\.isFailure).map(\.name)
            guard failures.isEmpty else {
                throw Failure(.unavailable, summary(failures, of: trial.results.count))
            }
        }
    }

    /// Prints the results in JSON, and writes the recording.
    private func finish(_ results: [TrialResult], _ time: Timestamp) throws(Failure) {
        Progress.clear()
        if asJSON {
            let document: Value = [
                "profile": .string(profile.name), "version": .number(Decimal(profile.version)),
                "address": .string(target.address.description), "results": .list(results.map { .record($0.record) }),
            ]
            StandardStream.output.print(document.description)
        }
        guard let file else { return }
        let recording = TrialRecording(profile: profile, parameters: parameters, results: results, time: time)
        do throws(SystemError) {
            try TextFile.write(recording.text, to: file)
        } catch {
            throw Failure(error.isPermission ? .noPermission : .unavailable, "\(error)")
        }
    }

    private func summary(_ failures: [String], of count: Int) -> String {
        if failures.count == count {
            return "\(target.address): no answer fits the profile \(profile.name): is it the right one? "
                + "bluefleet inspect \(target.words) proposes profiles"
        }
        return "\(target.address): \(failures.count) of \(count) entries have no value: "
            + failures.joined(separator: ", ")
    }
}
