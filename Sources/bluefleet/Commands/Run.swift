import Bridge
import Configuration
import Contract
import EventLoop
import Log
import System

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
        let configuration = try file.load()
        Log.level = configuration.logLevel.level
        try FolderOwner.takeIdentity(of: configuration)
        let lock = try Self.lock(configuration.stateDirectory)
        defer { withExtendedLifetime(lock) {} }
        try onLoop { home in
            let service = ServiceManager()
            let requests = Mailbox<SignalRequest>()
            try home.loop.onRequests(rereads: true) { requests.put($0) }
            let gateway = Gateway(
                configuration: configuration, bus: bus, version: Program.version, loop: home.loop,
                source: file.source)
            do throws(GatewayError) {
                try await gateway.start()
            } catch {
                throw Failure(.badConfiguration, error.description)
            }
            service.reportReady(await gateway.summary)
            Self.watch(gateway, for: service, home.loop)
            while case .reload? = await requests.next() {
                service.reportReloading()
                await gateway.reload()
                service.reportReady(await gateway.summary)
            }
            service.reportStopping()
            await gateway.stop()
        }
    }

    /// Locks the folder of the state, so that two bridges do not overwrite each other's files.
    ///
    /// - Returns: The lock; nil if the folder cannot be written. The bridge then runs without storing its state.
    private static func lock(_ folder: String) throws(Failure) -> FolderLock? {
        do throws(FolderLock.Obstacle) {
            return try FolderLock(folder)
        } catch {
            switch error {
            case .held(let holder):
                throw Failure(folder, heldBy: holder, advice: "stop that bridge, or use another state_directory")
            case .system(let error):
                Log("gateway").warning("\(error): the state is not stored")
                return nil
            }
        }
    }

    /// Reports the status to the service manager after each half of the watchdog interval, and at least every 30 s.
    private static func watch(_ gateway: Gateway, for service: ServiceManager, _ loop: EventLoop) {
        let interval = min(service.watchdogInterval.map { $0 / 2 } ?? .seconds(30), .seconds(30))
        loop.schedule(after: interval) {
            service.reportAlive(gateway.assumeIsolated { $0.summary })
            watch(gateway, for: service, loop)
        }
    }
}
