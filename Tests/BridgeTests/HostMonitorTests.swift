import BlueZ
import Bluetooth
import EventLoop
import Foundation
import JSON
import Synchronization
import System
import TestSupport
import TestTraits
import Testing

@testable import Bridge
@testable import Contract

/// Failures of the gateway's machine: the event, and the recovery without a restart.
@Suite(.ownThreads) struct HostMonitorTests {
    private static let time = Timestamp(milliseconds: 0)

    /// Returns the payloads of events, without the time.
    private static func texts(_ events: Mailbox<GatewayEvent>) async -> [String] {
        var texts: [String] = []
        while events.count > 0, let event = await events.next() {
            let json = event.json(at: time)
            texts.append([json["type"], json["resource"]].compactMap { $0?.string }.joined(separator: " "))
        }
        return texts
    }

    @Test func `HostMonitor reports a state folder that cannot be written once, and when it can be written again`()
        throws
    {
        let (texts, files) = try EventLoop.run(time: .manual) { home in
            let folder = try TemporaryFolder()
            defer { folder.remove() }
            let state = "\(folder.path)/state"
            // A file in the place of the folder: also the user root cannot write into it.
            try "".write(toFile: state, atomically: true, encoding: .utf8)
            let events = Mailbox<GatewayEvent>()
            let monitor = HostMonitor(stateFolder: state, loop: home.loop) { events.put($0) }
            var store = KnownPeripheralStore(in: state, observer: monitor.stateObserver)
            store.save([
                .init(address: Address(1), identity: nil, adapter: nil, name: nil, lastSeen: nil, isConnected: false)
            ])
            monitor.start()
            var texts: [String] = []
            for minute in 1...4 {
                home.loop.advance(by: HostMonitor.interval)
                await home.loop.sleep(for: .zero)
                if minute == 2 {
                    try FileManager.default.removeItem(atPath: state)
                    try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: false)
                }
                texts.append(await Self.texts(events).joined(separator: ", "))
            }
            monitor.stop()
            return (texts, try FileManager.default.contentsOfDirectory(atPath: state))
        }
        // The failure before the start is published again, because there may have been no publisher.
        #expect(texts == ["host_failed state_folder, host_failed state_folder", "", "host_recovered state_folder", ""])
        #expect(files == [])
    }

    @Test func `HostMonitor reports that there are no file descriptors left, and when there are some again`() throws {
        let texts = try EventLoop.run(time: .manual) { home in
            let counter = Counter()
            let events = Mailbox<GatewayEvent>()
            let monitor = HostMonitor(
                stateFolder: "/", loop: home.loop,
                descriptors: { FileDescriptorUsage(used: counter.used.load(ordering: .relaxed), limit: 1024) },
                publish: { events.put($0) })
            monitor.start()
            var texts: [String] = []
            for count in [1000, 1023, 1024, 1020, 30] {
                counter.used.store(count, ordering: .relaxed)
                home.loop.advance(by: HostMonitor.interval)
                await home.loop.sleep(for: .zero)
                texts.append(await Self.texts(events).joined(separator: ", "))
            }
            monitor.stop()
            return texts
        }
        #expect(texts == ["", "host_failed file_descriptors", "", "host_recovered file_descriptors", ""])
    }

    @Test func `a request that cannot be stored fails, and the gateway continues when the folder can be written`()
        throws
    {
        try withFixture(.house(Scenario.relay)) { fixture in
            let state = "\(fixture.folder.path)/state"
            try? FileManager.default.moveItem(atPath: state, toPath: state + ".away")
            try "".write(toFile: state, atomically: true, encoding: .utf8)
            let entry = #"{"device": "new", "address": "C0:00:00:00:00:77", "connect": "never"}"#
            #expect(try await fixture.refusal("bridge/attic/request/device/add", entry) == "failed")
            let event = try await fixture.recorder.next("bluefleet/bridge/attic/event") { $0["type"] == "host_failed" }
            #expect(event["resource"] == "state_folder")
            #expect(event["reason"]?.string?.contains("/state/devices.json") == true)
            try FileManager.default.removeItem(atPath: state)
            try? FileManager.default.moveItem(atPath: state + ".away", toPath: state)
            let answer = try await fixture.request("bridge/attic/request/device/add", entry)
            #expect(answer["status"] == "ok")
        }
    }
}

private final class Counter: Sendable {
    let used = Atomic<Int>(10)
}
