internal import Bridge
internal import Configuration
internal import EventLoop
internal import Log

/// `bluefleet run`: the bridge.
struct Run: Command {
    static let name = "run"
    static let summary = "the bridge, in the foreground, until it is stopped"
    static let details = [
        """
        SIGTERM and SIGINT stop it: sessions end, and the broker is told. SIGHUP makes it read its configuration \
        again; one with mistakes is refused whole.
        """
    ]
    static let options = [Option.config, MessageBus.option]
    static let examples = ["bluefleet run --config config/bluefleet.yaml"]

    private let file: ConfigurationFile
    private let bus: String

    init(_ arguments: Arguments) {
        file = ConfigurationFile(arguments)
        bus = MessageBus.address(arguments)
    }

    func run() throws(Failure) {
        let configuration: Configuration
        do throws(ConfigurationError) {
            configuration = try file.read()
        } catch {
            throw Failure(.badConfiguration, "the configuration has mistakes\n\(error)")
        }
        Log.level = configuration.logLevel.level
        try onLoop { home in
            let requests = Mailbox<Request>()
            try home.loop.onRequests(hangUp: .reload) { requests.put($0) }
            let gateway = Gateway(
                configuration: configuration, bus: bus, version: Program.version, loop: home.loop
            ) { [file] () throws(ConfigurationError) in try file.read() }
            do throws(GatewayError) {
                try await gateway.start()
            } catch {
                throw Failure(.badConfiguration, error.description)
            }
            while case .reload? = await requests.next() {
                await gateway.reload()
            }
            await gateway.stop()
        }
    }
}
