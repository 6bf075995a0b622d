package import EventLoop
import Glibc
package import System

/// A message bus that this process starts, without the system's services and policies, for a simulated fleet.
package final class PrivateBus {
    /// The address for clients.
    package let address: String
    private let daemon: ChildProcess

    /// Returns the address of a bus that listens at a socket.
    ///
    /// All characters of the path except ASCII letters, digits, `-`, `_`, `/` and `.` are escaped.
    ///
    /// Source: D-Bus Specification, "Server Addresses".
    package static func address(ofSocket path: String) -> String {
        let plain = Set("-_/.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
        let characters = path.utf8.map { byte in
            if plain.contains(byte) { return String(UnicodeScalar(byte)) }
            return (byte < 16 ? "%0" : "%") + String(byte, radix: 16)
        }
        return "unix:path=" + characters.joined()
    }

    /// Returns the configuration file of a bus (dbus-daemon(1)).
    ///
    /// - Parameters:
    ///   - socket: The path of the socket.
    ///   - limits: The limits that differ from those of the system bus.
    ///   - policy: Elements `policy` that restrict the default policy, which allows everything.
    /// - Returns: The text of the file.
    package static func configuration(
        listeningAt socket: String, limits: [String: Int], policy: String = ""
    ) -> String {
        let lines = limits.map { "  <limit name=\"\($0)\">\($1)</limit>" }
        return """
            <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
             "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
            <busconfig>
              <type>system</type>
              <listen>\(address(ofSocket: socket))</listen>
              <auth>EXTERNAL</auth>
              <policy context="default">
                <allow send_destination="*" eavesdrop="true"/>
                <allow eavesdrop="true"/>
                <allow own="*"/>
              </policy>
            \(policy)
            \(lines.joined(separator: "\n"))
            </busconfig>
            """
    }

    /// Starts dbus-daemon with its files in `folder`, and waits until it accepts connections.
    ///
    /// - Parameters:
    ///   - folder: The folder of the socket, the configuration and the log.
    ///   - policy: Elements `policy` of dbus-daemon's configuration that restrict the default policy, which allows
    ///     everything.
    ///   - loop: The loop that watches the process.
    ///   - isolation: The caller's actor.
    /// - Throws: `SystemError` if dbus-daemon (Debian package `dbus-daemon`) is not installed or does not start.
    package init(
        in folder: String, policy: String = "", on loop: EventLoop, isolation: isolated (any Actor)? = #isolation
    ) async throws(SystemError) {
        let socket = "\(folder)/bus"
        let file = "\(folder)/bus.conf"
        let log = "\(folder)/bus.log"
        address = Self.address(ofSocket: socket)
        let limits = ["max_replies_per_connection": 50_000]
        try TextFile.write(Self.configuration(listeningAt: socket, limits: limits, policy: policy), to: file)
        daemon = try ChildProcess(
            "dbus-daemon", ["--config-file=\(file)", "--nofork", "--nopidfile"], output: .file(log), on: loop)
        // The socket exists before dbus-daemon listens: only a successful connection shows that dbus-daemon is ready.
        let deadline = loop.now + .seconds(20)
        while await !acceptsConnections(loop) {
            guard daemon.status == nil else { throw SystemError(endOf: "dbus-daemon", log: log) }
            guard loop.now < deadline else {
                await daemon.stop()
                // dbus-daemon rejects a user without a name, e.g. in a container that was started with another user number.
                throw SystemError("dbus-daemon rejects connections: check that user \(getuid()) has a name")
            }
            await loop.sleep(for: .milliseconds(5))
        }
    }

    private func acceptsConnections(_ loop: EventLoop, isolation: isolated (any Actor)? = #isolation) async -> Bool {
        do {
            let probe = try await Connection.open(address, loop: loop)
            await probe.close()
            return true
        } catch {
            return false
        }
    }

    /// Stops the bus and disconnects its clients.
    package func stop(isolation: isolated (any Actor)? = #isolation) async {
        await daemon.stop()
    }
}
