import DBus
import EventLoop
import Foundation
import System
import Testing

/// The policy of the package for the system bus: `config/bluefleet-dbus.conf`.
@Suite struct PolicyTests {
    /// The policy, for this user in place of the service's.
    private static func policy() throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try String(contentsOf: root.appending(path: "config/bluefleet-dbus.conf"), encoding: .utf8)
        let start = try #require(text.range(of: "<policy user=\"bluefleet\">"))
        let end = try #require(text.range(of: "</policy>"))
        return "<policy user=\"\(getuid())\">" + text[start.upperBound..<end.upperBound]
    }

    @Test func `the policy passes the signals of bluetoothd and of the bus, and no others`() throws {
        let policy = try Self.policy()
        let senders = try EventLoop.run { home in
            let folder = try TemporaryFolder()
            defer { folder.remove() }
            let bus = try await PrivateBus(in: folder.path, policy: policy, on: home.loop)
            let bluetoothd = try await Connection.open(bus.address, loop: home.loop)
            let stranger = try await Connection.open(bus.address, loop: home.loop)
            let bridge = try await Connection.open(bus.address, loop: home.loop)
            try await bluetoothd.requestName("org.bluez")
            let senders = Mailbox<String>()
            await bridge.onSignal { senders.put($0.isSignal("Sign", on: "a.b") ? $0.path : $0.member) }
            try await bridge.addMatch("type='signal'")
            await stranger.send(try Message(signal: "Sign", on: "a.b", at: "/stranger"))
            try await stranger.callBus("GetId")
            await bluetoothd.send(try Message(signal: "Sign", on: "a.b", at: "/bluetoothd"))
            try await bluetoothd.releaseName("org.bluez")
            var all: [String] = []
            while all.last != "NameOwnerChanged", let sender = await senders.next() { all.append(sender) }
            for connection in [bluetoothd, stranger, bridge] { await connection.close() }
            await bus.stop()
            return all
        }
        #expect(senders == ["/bluetoothd", "NameOwnerChanged"])
    }
}
