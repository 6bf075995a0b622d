package import EventLoop

/// A mosquitto of the test's own, on a free port of the loopback interface and on a Unix socket.
///
///     let broker = try Broker()
///     … broker.port …
///     broker.stop()
///     try broker.start()               // on the same port
///
/// Not for two threads at a time.
package final class Broker: @unchecked Sendable {
    /// What may differ from a broker that takes everybody in.
    package struct Options {
        /// The users that there are, with their passwords; empty: no users are asked for.
        package var passwords: [String: String] = [:]
        /// Lines of an access control list (mosquitto.conf(5), acl_file).
        package var accessRules: String?
        /// The host for which there is a certificate on the port, which then speaks TLS.
        package var certifiedHost: String?
        /// Whether clients must show a certificate of the same authority.
        package var asksForCertificates = false
        /// Further lines of mosquitto.conf(5).
        package var lines: [String] = []

        package init() {}
    }

    package let port: UInt16
    /// The path of the Unix socket.
    package let socket: String
    /// What the broker shows on its port, if it speaks TLS there.
    package let certificates: Certificates?
    /// For more files of the same test; gone with the broker.
    package let folder: TemporaryFolder
    private let configuration: String
    private var process: Command?

    /// Starts a broker; it is ready when this returns.
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
    /// Its process; nil while it does not run.
    package var identifier: Int32? { process?.identifier }

    /// Starts the broker again after `stop` or `kill`.
    package func start() throws {
        let process = try Command("mosquitto", ["-c", configuration])
        try process.waitForOutput(containing: "running")
        self.process = process
    }

    /// Ends the broker in good order: its clients are told.
    package func stop() {
        process?.terminate()
        process = nil
    }

    /// Ends the broker as a power cut does.
    package func kill() {
        process?.kill()
        process = nil
    }

    /// Lets the broker hang, or goes on.
    package func freeze(_ isFrozen: Bool) {
        process?.send(isFrozen ? 19 : 18)
    }

    private func access(_ options: Options) throws -> [String] {
        // Started by root, mosquitto would become a user who cannot read the test's files.
        var lines = ["user root", "log_dest stderr", "log_type error", "log_type warning", "log_type information"]
        // Otherwise an answer that follows an acknowledgement waits 40 ms for the client's TCP.
        lines += ["set_tcp_nodelay true"]
        // Otherwise what waits for a client is dropped beyond a thousand messages: on a busy machine, some are.
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
            let output = try Command("mosquitto_passwd", ["-b", path, user, password]).waitForOutput()
            guard output.isEmpty else { throw CommandError("mosquitto_passwd failed: \(output)") }
        }
        return path
    }
}
