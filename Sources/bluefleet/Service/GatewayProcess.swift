import Bridge
import Configuration
import Contract
import EventLoop
import Log
import System

/// A gateway in the foreground: its signals, its state folder, and its reports to the service manager.
struct GatewayProcess {
    private let configuration: Configuration
    private let source: ConfigurationSource
    /// The address of the D-Bus with bluetoothd; nil: the gateway has no Bluetooth, and only decides for others.
    private let bus: String?

    init(_ configuration: Configuration, _ source: ConfigurationSource, bus: String?) {
        self.configuration = configuration
        self.source = source
        self.bus = bus
    }

    /// Runs the gateway on the loop of a command, until a signal ends it.
    ///
    /// - Throws: The `Failure` of settings that can never work, or of a state folder in use.
    func run(in command: some Command) throws(Failure) {
        Log.level = configuration.logLevel.level
        try FolderOwner.takeIdentity(of: configuration)
        let lock = try Self.lock(configuration.stateDirectory)
        defer { withExtendedLifetime(lock) {} }
        try command.onLoop { home in
            let service = ServiceManager()
            let requests = Mailbox<SignalRequest>()
            try home.loop.onRequests(rereads: true) { requests.put($0) }
            let gateway = Gateway(
                configuration: configuration, bus: bus ?? "", version: Program.version, loop: home.loop,
                hasBluetooth: bus != nil, source: source)
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
