import EventLoop
package import System

/// A mosquitto for one test, on a free port of the loopback interface and on a Unix socket.
///
///     let broker = try Broker()
///     … broker.port …
///     broker.stop()
///     try broker.start()               // on the same port
///
/// Not thread-safe.
package final class Broker: @unchecked Sendable {
    /// The settings of a broker; with the defaults, every client may connect.
    package struct Options {
        /// The passwords, by user; if empty, clients need no user.
        package var passwords: [String: String] = [:]
        /// Lines of an access control list (mosquitto.conf(5), acl_file).
        package var accessRules: String?
        /// The host name of the broker's certificate; nil: the broker does not use TLS.
        package var certifiedHost: String?
        /// Whether clients must have a certificate of the same authority.
        package var asksForCertificates = false
        /// Additional lines of mosquitto.conf(5).
        package var lines: [String] = []

        package init() {}
    }

    package let port: UInt16
    /// The path of the Unix socket.
    package let socket: String
    /// The broker's certificates; nil without TLS.
    package let certificates: Certificates?
    /// A folder for additional files of the test; removed with the broker.
    package let folder: TemporaryFolder
    private let configuration: String
    private var process: Command?

    /// Starts a broker and waits until it is ready.
    package init(_ options: Options = Options()) throws {
        folder = try TemporaryFolder()
        certificates = try options.certifiedHost.map { [folder] in try Certificates(for: $0, in: folder) }
        port = try freePort()
        socket = folder.path("broker.sock")
        configuration = folder.path("mosquitto.conf")
        let lines = try access(options) + listeners(options)
        try folder.write(lines.joined(separator: "\n") + "\n", to: "mosquitto.conf")
        try start()
    }

    deinit {
        kill()
        folder.remove()
    }

    package var isRunning: Bool { process != nil }
    /// The process identifier; nil while the broker is stopped.
    package var identifier: Int32? { process?.identifier }

    /// Starts the broker again after `stop` or `kill`.
    package func start() throws {
        let process = try Command("mosquitto", ["-c", configuration])
        try process.waitForOutput(containing: "running")
        self.process = process
    }

    /// Stops the broker; its clients receive DISCONNECT.
    package func stop() {
        process?.terminate()
        process = nil
    }

    /// Kills the broker, as a power failure does.
    package func kill() {
        process?.kill()
        process = nil
    }

    /// Suspends or resumes the broker's process.
    package func freeze(_ isFrozen: Bool) {
        process?.send(isFrozen ? 19 : 18)
    }

    private func access(_ options: Options) throws -> [String] {
        // As root, mosquitto would switch to a user without access to the test's files.
        var lines = ["user root", "log_dest stderr", "log_type error", "log_type warning", "log_type information"]
        // Without this line, a response after an acknowledgement waits 40 ms for the client's TCP.
        lines += ["set_tcp_nodelay true"]
        // Without this line, mosquitto drops messages if more than 1,000 wait for a client, as on a busy machine.
        lines += ["max_queued_messages 100000"]
        lines += ["allow_anonymous \(options.passwords.isEmpty)"]
        if !options.passwords.isEmpty {
            lines += ["password_file \(try passwordFile(options.passwords))"]
        }
        if let rules = options.accessRules {
            lines += ["acl_file \(try folder.write(rules, to: "acl"))"]
        }
        return lines + options.lines
    }

    private func listeners(_ options: Options) -> [String] {
        var lines = ["listener 0 \(socket)", "listener \(port) 127.0.0.1"]
        if let certificates {
            lines += ["certfile \(certificates.certificate)", "keyfile \(certificates.key)"]
            if options.asksForCertificates {
                lines += ["cafile \(certificates.authority)", "require_certificate true"]
            }
        }
        return lines
    }

    private func passwordFile(_ passwords: [String: String]) throws -> String {
        let path = try folder.write("", to: "passwords")
        for (user, password) in passwords {
            let command = try Command("mosquitto_passwd", ["-b", path, user, password])
            let output = command.waitForOutput()
            guard command.wait() == .code(0) else { throw CommandError("mosquitto_passwd failed: \(output)") }
        }
        return path
    }
}
