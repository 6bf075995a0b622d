internal import EventLoop

/// A broker of our own on a free port of this machine, open to every program on it, that keeps nothing.
final class PrivateBroker {
    let port: UInt16
    private let daemon: ChildProcess

    /// Starts mosquitto with its files in `folder`, and waits until it takes connections.
    ///
    /// - Throws: `EventLoopError` when mosquitto is not there or does not start.
    init(in folder: TemporaryFolder, on loop: EventLoop, isolation: isolated (any Actor)? = #isolation)
        async throws(EventLoopError)
    {
        var attempts = 3
        while true {
            let port = try LoopbackPort.unused()
            let daemon = try Self.start(on: port, in: folder, loop)
            while daemon.status == nil && !port.isOpen {
                await loop.sleep(for: .milliseconds(5))
            }
            if daemon.status == nil {
                self.port = port.number
                self.daemon = daemon
                return
            }
            // Between finding a free port and listening on it, somebody else may have taken it.
            attempts -= 1
            guard attempts > 0 else {
                throw EventLoopError(endOf: ExternalProgram.broker.name, log: Self.log(in: folder))
            }
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

    private static func start(
        on port: LoopbackPort, in folder: TemporaryFolder, _ loop: EventLoop
    ) throws(EventLoopError) -> ChildProcess {
        // As root mosquitto would become another user, and the kernel then forgets that it is to end with us.
        let settings = """
            listener \(port.number) 127.0.0.1
            allow_anonymous true
            persistence false
            user root
            """
        let file = "\(folder.path)/mosquitto.conf"
        try writeFile(settings + "\n", to: file)
        return try ChildProcess(
            ExternalProgram.broker.name, ["-c", file], output: .file(log(in: folder)), on: loop)
    }

    private static func log(in folder: TemporaryFolder) -> String {
        "\(folder.path)/mosquitto.log"
    }
}
