/// `bluefleet run`: runs the bridge.
struct Run: Command {
    static let name = "run"
    static let summary = "runs the bridge in the foreground"
    static let details = [
        """
        SIGTERM and SIGINT stop it: it disconnects the devices and publishes that it is offline. SIGHUP reloads the \
        configuration; a file with mistakes is rejected as a whole. As a systemd service, it reports when it is ready, \
        and its status, and triggers the watchdog. Root's process takes the identity of the owner of the state folder.
        """
    ]
    static let operands = [ConfigurationFile.operand]
    static let options = [Option.config, MessageBus.option]
    static let examples = ["bluefleet run config/bluefleet.yaml"]

    private let file: ConfigurationFile
    private let bus: String

    init(_ arguments: Arguments) throws(Failure) {
        file = try ConfigurationFile(operandOf: arguments)
        bus = try MessageBus.address(arguments)
    }

    func run() throws(Failure) {
        try GatewayProcess(try file.load(), file.source, bus: bus).run(in: self)
    }
}
