import EventLoop
import Foundation
import System
import TestSupport
import TestTraits
import Testing

/// The notifications of `run` to systemd.
@Suite(.ownThreads) struct ServiceTests {
    /// The socket of a service manager.
    private final class Manager {
        let path: String
        private let descriptor: Int32

        init(in folder: String) throws {
            path = folder + "/notify"
            descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            var name = sockaddr_un()
            name.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
            let bound = withUnsafePointer(to: &name) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            try #require(bound == 0)
        }

        deinit { close(descriptor) }

        /// Returns the next message that contains a text.
        func message(containing text: String) -> String {
            var buffer = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = recv(descriptor, &buffer, buffer.count, 0)
                guard count > 0 else { return "" }
                let message = String(decoding: buffer[..<count], as: UTF8.self)
                if message.contains(text) { return message }
            }
        }
    }

    @Test func `run reports when it is ready, alive, reloading and stopping`() throws {
        let broker = try Broker()
        defer { broker.stop() }
        let manager = try Manager(in: broker.folder.path)
        let yaml = """
            state_directory: \(broker.folder.path("state"))
            mqtt: {url: "mqtt://127.0.0.1:\(broker.port)"}
            """
        try Bluefleet.withFile(yaml) { file in
            let bridge = try RunningBluefleet(
                "run", "--config", file, "--bus", "unix:path=/nowhere/bus",
                environment: ["NOTIFY_SOCKET": manager.path, "WATCHDOG_USEC": "400000"])
            #expect(manager.message(containing: "READY=1").contains("STATUS="))
            let alive = manager.message(containing: "broker connected")
            #expect(
                alive.hasPrefix("WATCHDOG=1\nSTATUS=broker connected, no devices, Bluetooth: no connection to the bus"))
            bridge.send(SIGHUP)
            #expect(manager.message(containing: "RELOADING=1") != "")
            #expect(manager.message(containing: "READY=1").contains("STATUS="))
            bridge.send(SIGTERM)
            #expect(manager.message(containing: "STOPPING=1") != "")
            #expect(bridge.exit() == 0)
        }
    }
}
