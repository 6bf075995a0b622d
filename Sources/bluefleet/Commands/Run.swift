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
        again; one with mistakes is refused whole. As a service of systemd it tells when it is ready, how it is doing, \
        and that it is alive.
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
            throw file.failure(error)
        }
        Log.level = configuration.logLevel.level
        try onLoop { home in
            let service = ServiceManager()
            let requests = Mailbox<Request>()
            try home.loop.onRequests(rereads: true) { requests.put($0) }
            let gateway = Gateway(
                configuration: configuration, bus: bus, version: Program.version, loop: home.loop
            ) { [file] () throws(ConfigurationError) in try file.read() }
            do throws(GatewayError) {
                try await gateway.start()
            } catch {
                throw Failure(.badConfiguration, error.description)
            }
            service.tellReady(await gateway.summary)
            Self.watch(gateway, for: service, home.loop)
            while case .reload? = await requests.next() {
                service.tellReloading()
                await gateway.reload()
                service.tellReady(await gateway.summary)
            }
            service.tellStopping()
            await gateway.stop()
        }
    }

    /// Tells the service manager now and then that all is well: at twice the pace at which it would act.
    private static func watch(_ gateway: Gateway, for service: ServiceManager, _ loop: EventLoop) {
        let pace = min(service.watchdogInterval.map { $0 / 2 } ?? .seconds(30), .seconds(30))
        loop.schedule(after: pace) {
            service.tellAlive(gateway.assumeIsolated { $0.summary })
            watch(gateway, for: service, loop)
        }
    }
}
