internal import Codec
internal import Configuration

/// `bluefleet check`: everything that is wrong with a configuration.
struct Check: Command {
    static let name = "check"
    static let summary = "everything that is wrong with a configuration, if anything is"
    static let details = [
        """
        Each mistake is a line FILE:LINE:COLUMN: MESSAGE, and the exit status is 78. A file that the configuration \
        names and that is not on this machine is only warned of, and so is a key that has no effect.
        """
    ]
    static let options = [Option.config, .json]
    static let examples = ["bluefleet check --config config/bluefleet.yaml"]

    private let file: ConfigurationFile
    private let asJSON: Bool

    init(_ arguments: Arguments) {
        file = ConfigurationFile(arguments)
        asJSON = arguments.contains(.json)
    }

    func run() throws(Failure) {
        do throws(ConfigurationError) {
            // A file that `run` would miss here may be on the machine that the configuration is for.
            let configuration = try Configuration(file: file.path, checkingFiles: true, excusingFiles: true)
            report([], configuration.warnings, configuration)
        } catch {
            report(error.mistakes, error.warnings)
            let count = error.mistakes.count == 1 ? "1 mistake" : "\(error.mistakes.count) mistakes"
            throw Failure(.badConfiguration, "\(count) in \(file.name)\(file.advice)")
        }
    }

    private func report(_ mistakes: [Mistake], _ warnings: [Mistake], _ configuration: Configuration? = nil) {
        if asJSON { return reportAsJSON(mistakes, warnings, configuration) }
        for warning in warnings { StandardStream.error.print(warning.asWarning.text) }
        for mistake in mistakes { StandardStream.output.print(mistake.text) }
        if let configuration {
            StandardStream.output.print("\(file.name) is fine\n\n\(configuration.summary)")
        }
    }

    private func reportAsJSON(_ mistakes: [Mistake], _ warnings: [Mistake], _ configuration: Configuration?) {
        var result = Record([
            ("file", .string(file.path)), ("mistakes", .list(mistakes.map(\.record))),
            ("warnings", .list(warnings.map(\.record))),
        ])
        if let configuration {
            result["gateway"] = .string(configuration.gateway)
            result["devices"] = .list(configuration.devices.map { .string($0.name) })
        }
        StandardStream.output.print(Value.record(result).description)
    }
}

extension Mistake {
    /// The mistake, where it is none that counts.
    fileprivate var asWarning: Mistake {
        Mistake(file: file, position: position, message: "warning: \(message)")
    }

    /// The mistake for programs.
    fileprivate var record: Value {
        var record = Record([("file", .string(file)), ("message", .string(message))])
        if let position {
            record["line"] = .number(Decimal(position.line))
            record["column"] = .number(Decimal(position.column))
        }
        return .record(record)
    }
}
