package import EventLoop
internal import Glibc

/// A message bus of our own, without the system's services and policies: for a simulated fleet.
package final class PrivateBus {
    /// What clients connect to.
    package let address: String
    private let daemon: ChildProcess

    /// The address of a bus that listens at a socket: most of what a path may hold has a meaning of its own there.
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

    /// A bus's file (dbus-daemon(1)).
    ///
    /// - Parameter limits: those that are not to be as the system's bus has them.
    package static func configuration(listeningAt socket: String, limits: [String: Int]) -> String {
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
            \(lines.joined(separator: "\n"))
            </busconfig>
            """
    }

    /// Starts dbus-daemon with its files in `folder`, and waits until it takes connections.
    ///
    /// - Throws: `EventLoopError` when dbus-daemon (Debian: `dbus-daemon`) is not there or does not start.
    package init(
        in folder: String, on loop: EventLoop, isolation: isolated (any Actor)? = #isolation
    ) async throws(EventLoopError) {
        let socket = "\(folder)/bus"
        let file = "\(folder)/bus.conf"
        let log = "\(folder)/bus.log"
        address = Self.address(ofSocket: socket)
        try writeFile(
            Self.configuration(listeningAt: socket, limits: ["max_replies_per_connection": 50_000]), to: file)
        daemon = try ChildProcess(
            "dbus-daemon", ["--config-file=\(file)", "--nofork", "--nopidfile"], output: .file(log), on: loop)
        // Its socket is there before it listens: only a connection shows that it takes connections.
        let deadline = loop.now + .seconds(20)
        while await !takesConnections(loop) {
            guard daemon.status == nil else { throw EventLoopError(endOf: "dbus-daemon", log: log) }
            guard loop.now < deadline else {
                await daemon.stop()
                // It hangs up on a user that has no name: in a container started with another number, for example.
                throw EventLoopError("dbus-daemon does not let us in: is there a name for user \(getuid())?")
            }
            await loop.sleep(for: .milliseconds(5))
        }
    }

    private func takesConnections(_ loop: EventLoop, isolation: isolated (any Actor)? = #isolation) async -> Bool {
        do {
            let probe = try await Connection.open(address, loop: loop)
            await probe.close()
            return true
        } catch {
            return false
        }
    }

    /// Ends the bus; its clients are disconnected.
    package func stop(isolation: isolated (any Actor)? = #isolation) async {
        await daemon.stop()
    }
}
