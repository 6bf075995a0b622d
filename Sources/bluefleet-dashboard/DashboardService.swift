import Configuration
import Dashboard
import EventLoop
import Glibc
import System

/// All parts of the dashboard.
@safe actor DashboardService: LoopBound {
    nonisolated let loop: EventLoop
    nonisolated let unownedExecutor: UnownedSerialExecutor
    private let server: PageServer
    private let feed: BrokerFeed
    private let keeper: HistoryKeeper

    /// - Throws: `DashboardProgram.Fault` if the password cannot be read.
    init(_ configuration: Configuration, on loop: EventLoop) throws(DashboardProgram.Fault) {
        self.loop = loop
        unsafe unownedExecutor = loop.asUnownedSerialExecutor()
        let settings = configuration.dashboard
        let password = try Self.password(settings)
        let observers = Observers()
        let board = Board(keeping: settings.history, on: loop) { observers.streams?.changed($0) }
        let forwarder = RequestForwarder(on: loop)
        let streams = PageStreams(board) { forwarder.pairs($0, $1) }
        observers.set(streams)
        feed = BrokerFeed(configuration.dashboardBroker, board) { forwarder.received($0, $1) }
        forwarder.use(feed)
        keeper = HistoryKeeper(board, in: settings.historyDirectory)
        server = PageServer(settings, password: password, board, forwarder, streams)
    }

    /// The streams, which are created after the board that they observe.
    private final class Observers {
        private(set) weak var streams: PageStreams?

        func set(_ streams: PageStreams) {
            self.streams = streams
        }
    }

    private static func password(
        _ settings: Configuration.Dashboard
    ) throws(DashboardProgram.Fault) -> [UInt8]? {
        guard let file = settings.passwordFile else { return nil }
        do throws(InvalidValue) {
            return try Configuration.Dashboard.password(file.path)
        } catch {
            throw DashboardProgram.Fault(status: EX_CONFIG, message: error.message)
        }
    }

    /// Opens the page, and starts to connect to the broker.
    ///
    /// - Throws: `SystemError` for an address that is not available; the error of a secret that cannot be read.
    func start() throws {
        try server.open()
        keeper.start()
        try feed.start()
        Self.releaseMemoryLater(loop)
    }

    private static let releaseInterval = Duration.seconds(30)

    /// Returns memory to the system again and again: a burst of large responses leaves free memory behind.
    private static func releaseMemoryLater(_ loop: EventLoop) {
        loop.schedule(after: releaseInterval) {
            SpareMemory.release()
            releaseMemoryLater(loop)
        }
    }

    func stop() async {
        server.close()
        await feed.stop()
        await keeper.stop()
    }
}
