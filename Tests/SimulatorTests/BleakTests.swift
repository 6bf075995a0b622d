import DBus
import EventLoop
import Foundation
import System
import Testing

/// bleak, a client library for BlueZ in Python, with the simulation in place of bluetoothd.
@Suite struct BleakTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    private static let python = folder.appending(path: "../../.build/tests/python/bin/python").standardized.path

    @Test func `bleak scans, connects, reads, writes and subscribes`() throws {
        try #require(
            FileManager.default.isExecutableFile(atPath: Self.python),
            "bleak is not installed (no \(Self.python)): run config/setup --tests")
        let (status, output, events) = try withSimulation(specimen) { home, client, _ in
            let folder = try TemporaryFolder()
            defer { folder.remove() }
            let output = "\(folder.path)/output"
            let program = try ChildProcess(
                Self.python, [Self.folder.appending(path: "Bleak/client.py").path],
                environment: ["DBUS_SYSTEM_BUS_ADDRESS": client.connection.address], output: .file(output),
                on: home.loop)
            let status = await program.exit()
            let events = try await client.events(of: "specimen")
            return (status, try String(contentsOfFile: output, encoding: .utf8), events)
        }
        #expect(status == 0)
        #expect(
            output.split(separator: "\n") == [
                """
                found specimen -50 0000180f-0000-1000-8000-00805f9b34fb 0000181a-0000-1000-8000-00805f9b34fb
                """,
                "connected True",
                """
                service 00001801-0000-1000-8000-00805f9b34fb 00002a05-0000-1000-8000-00805f9b34fb \
                00002b29-0000-1000-8000-00805f9b34fb 00002b2a-0000-1000-8000-00805f9b34fb
                """,
                """
                service 0000181a-0000-1000-8000-00805f9b34fb 00002a6e-0000-1000-8000-00805f9b34fb \
                00002a6f-0000-1000-8000-00805f9b34fb
                """,
                "service 0000180f-0000-1000-8000-00805f9b34fb 00002a19-0000-1000-8000-00805f9b34fb",
                """
                service 6e400001-b5a3-f393-e0a9-e50e24dcca9e 6e400002-b5a3-f393-e0a9-e50e24dcca9e \
                6e400003-b5a3-f393-e0a9-e50e24dcca9e 6e400004-b5a3-f393-e0a9-e50e24dcca9e
                """,
                "read 6908", "written 010203", "notified a00f", "notified a00f", "notified a00f",
                "refused WRITE_NOT_PERMITTED", "disconnected True",
            ])
        #expect(
            events == [
                "connected", "read 2A6E", "write 6e400002-b5a3-f393-e0a9-e50e24dcca9e 1,2,3",
                "read 6e400002-b5a3-f393-e0a9-e50e24dcca9e", "command 6e400003-b5a3-f393-e0a9-e50e24dcca9e 5",
                "subscribed 2A6F", "unsubscribed 2A6F", "write 2A6E 0,0", "disconnected",
            ])
    }
}
