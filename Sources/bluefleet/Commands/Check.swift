import Codec
import Configuration
import Glibc
import JSON
import System

/// `bluefleet check`: checks a configuration.
struct Check: Command {
    static let name = "check"
    static let summary = "checks a configuration and reports every mistake"
    static let details = [
        """
        Prints each mistake as FILE:LINE:COLUMN: MESSAGE and exits with status 78. What is probably not intended is a \
        warning, e.g. a missing file that the configuration names, a secret that every user can read, a key without \
        effect, a characteristic that nothing uses, or an unknown unit. Warnings do not change the exit status.
        """
    ]
    static let operands = [ConfigurationFile.operand]
    static let options = [Option.config, .json]
    static let examples = ["bluefleet check config/bluefleet.yaml"]

    private let file: ConfigurationFile
    private let asJSON: Bool

    init(_ arguments: Arguments) throws(Failure) {
        file = try ConfigurationFile(operandOf: arguments)
        asJSON = arguments.contains(.json)
    }

    func run() throws(Failure) {
        do throws(ConfigurationError) {
            // The configuration may be for another machine, which has the files that are missing here.
            let configuration = try file.read(toleratingMissingFiles: true)
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
            for profile in configuration.outdatedProfiles { StandardStream.error.print(profile) }
            StandardStream.output.print("\(file.name) is valid\n\n\(configuration.summary(of: file.additions))")
            let questions = configuration.questions(at: Timestamp(milliseconds: Int64(time(nil)) * 1000))
            if !questions.isEmpty { StandardStream.output.print(questions) }
        }
    }

    private func reportAsJSON(_ mistakes: [Mistake], _ warnings: [Mistake], _ configuration: Configuration?) {
        var result = Record([
            ("file", .string(file.path)), ("mistakes", .list(mistakes.map(\.record))),
            ("warnings", .list(warnings.map(\.record))),
        ])
        if let configuration {
            result["additions"] = .list(file.additions.map { .string($0) })
            result["gateway"] = .string(configuration.gateway)
            result["devices"] = .list(configuration.devices.map { .string($0.name) })
        }
        StandardStream.output.print(Value.record(result).description)
    }
}

extension Mistake {
    /// The mistake, labelled as a warning.
    fileprivate var asWarning: Mistake {
        Mistake(file: file, position: position, message: "warning: \(message)")
    }

    /// The mistake as JSON.
    fileprivate var record: Value {
        var record = Record([("file", .string(file)), ("message", .string(message))])
        if let position {
            record["line"] = .number(Decimal(position.line))
            record["column"] = .number(Decimal(position.column))
        }
        return .record(record)
    }
}
