import Codec

/// `bluefleet version` and `bluefleet --version`.
struct Version: Command {
    static let name = "version"
    static let summary = "prints the version"
    static let options = [Option.json]
    static let examples = ["bluefleet --version"]

    private let asJSON: Bool

    init(_ arguments: Arguments) {
        asJSON = arguments.contains(.json)
    }

    func run() {
        let result: Value = ["name": .string(Program.name), "version": .string(Program.version)]
        StandardStream.output.print(asJSON ? result.description : "\(Program.name) \(Program.version)")
    }
}
