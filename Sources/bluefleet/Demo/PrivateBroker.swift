internal import EventLoop

/// A broker of our own on a free port of this machine, open to every program on it, that keeps nothing.
final class PrivateBroker {
    let port: UInt16
    private let daemon: ChildProcess

    /// Starts mosquitto with its files in `folder`, and waits until it takes connections.
    ///
    /// - Parameters:
    ///   - program: mosquitto.
    ///   - patience: how long to wait for it.
    /// - Throws: `EventLoopError` when mosquitto is not there or does not start.
    init(
        in folder: TemporaryFolder, running program: String = ExternalProgram.broker.name,
        within patience: Duration = .seconds(20), on loop: EventLoop, isolation: isolated (any Actor)? = #isolation
    ) async throws(EventLoopError) {
        let deadline = loop.now + patience
        var attempts = 3
        while true {
            let port = try LoopbackPort.unused()
            let files = "\(folder.path)/mosquitto-\(port.number)"
            let daemon = try Self.start(program, on: port, files, loop)
            while daemon.status == nil {
                if Self.isRunning(files) {
                    self.port = port.number
                    self.daemon = daemon
                    return
                }
                guard loop.now < deadline else {
                    await daemon.stop()
                    throw EventLoopError("\(program) does not take connections")
                }
                await loop.sleep(for: .milliseconds(5))
            }
            // Between finding a free port and listening on it, somebody else may have taken it.
            attempts -= 1
            guard attempts > 0 else { throw EventLoopError(endOf: program, log: Self.log(files)) }
        }
    }

    /// Waits until the broker has ended.
    func exit(isolation: isolated (any Actor)? = #isolation) async {
        _ = await daemon.exit()
    }

    /// Ends the broker; its clients are disconnected.
    func stop(isolation: isolated (any Actor)? = #isolation) async {
        await daemon.stop()
    }

    /// - Parameter files: How the paths of its files begin.
    private static func start(
        _ program: String, on port: LoopbackPort, _ files: String, _ loop: EventLoop
    ) throws(EventLoopError) -> ChildProcess {
        // As root mosquitto would become another user, and the kernel then forgets that it is to end with us.
        let settings = """
            listener \(port.number) 127.0.0.1
            allow_anonymous true
            persistence false
            user root
            log_dest stderr
            log_type error
            log_type information
            """
        let file = "\(files).conf"
        try writeFile(settings + "\n", to: file)
        return try ChildProcess(program, ["-c", file], output: .file(log(files)), on: loop)
    }

    /// Whether it says that it takes connections; on the port itself somebody else may have been faster.
    private static func isRunning(_ files: String) -> Bool {
        // "mosquitto version 2.0.11 running".
        (TextFile.read(log(files)) ?? "").split(separator: "\n").contains { $0.hasSuffix(" running") }
    }

    private static func log(_ files: String) -> String { "\(files).log" }
}
