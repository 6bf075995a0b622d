/// `bluefleet version` and `bluefleet --version`.
struct Version: Command {
    static let name = "version"
    static let summary = "which Bluefleet this is"
    static let examples = ["bluefleet --version"]

    init(_: Arguments) {}

    func run() {
        StandardStream.output.print("\(Program.name) \(Program.version)")
    }
}
