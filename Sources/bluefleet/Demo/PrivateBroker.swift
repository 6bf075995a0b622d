import EventLoop
import System

/// A private mosquitto on a free loopback port, without authentication and persistence.
final class PrivateBroker {
    let port: UInt16
    private let daemon: ChildProcess

    /// Starts mosquitto with its files in `folder`, and waits until it accepts connections.
    ///
    /// `program` is mosquitto, except in tests. `timeout` is the maximum time until the broker accepts connections.
    ///
    /// - Throws: `SystemError` if mosquitto is not installed or does not start.
    init(
        in folder: TemporaryFolder, running program: String = ExternalProgram.broker.name,
        within timeout: Duration = .seconds(20), on loop: EventLoop, isolation: isolated (any Actor)? = #isolation
    ) async throws(SystemError) {
        let deadline = loop.now + timeout
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
                    throw SystemError("\(program) does not accept connections")
                }
                await loop.sleep(for: .milliseconds(5))
            }
            // Another process can take the port before mosquitto listens on it.
            attempts -= 1
            guard attempts > 0 else { throw SystemError(endOf: program, log: Self.log(files)) }
        }
    }

    /// Waits for the exit of the broker.
    func exit(isolation: isolated (any Actor)? = #isolation) async {
        _ = await daemon.exit()
    }

    /// Stops the broker, which disconnects its clients.
    func stop(isolation: isolated (any Actor)? = #isolation) async {
        await daemon.stop()
    }

    /// Starts mosquitto; `files` is the beginning of the paths of its files.
    private static func start(
        _ program: String, on port: LoopbackPort, _ files: String, _ loop: EventLoop
    ) throws(SystemError) -> ChildProcess {
        // As root, mosquitto would change its user, and the kernel would not end mosquitto together with this process.
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
        try TextFile.write(settings + "\n", to: file)
        return try ChildProcess(program, ["-c", file], output: .file(log(files)), on: loop)
    }

    /// Returns whether the log contains the line with which mosquitto reports that it is running.
    ///
    /// An open port is no proof: another process may use it.
    private static func isRunning(_ files: String) -> Bool {
        // "mosquitto version 2.0.11 running".
        (TextFile.read(log(files)) ?? "").split(separator: "\n").contains { $0.hasSuffix(" running") }
    }

    private static func log(_ files: String) -> String { "\(files).log" }
}
