import EventLoop
import Foundation
import JSON
import MQTT
import Spool
import System
import TestSupport

/// The built bridge with a disk that fails on demand, a device that counts, a broker, and a subscriber.
final class DiskFaultRig: @unchecked Sendable {
    private struct Missing: Error {
        let what: String
    }

    let broker: Broker
    private(set) var bridge: RunningBluefleet
    private let loop: EventLoop
    private let house: SimulatedHouse
    private let folder: TemporaryFolder
    private var subscriber: Client?
    private var numbers: Set<Int> = []
    private var liveCount = 0
    private var answers: [String: JSON] = [:]
    private(set) var isLate = false
    private var lateIDs: Set<Int> = []
    /// The number of late messages whose number another one had before.
    private(set) var repeatedCount = 0
    private(set) var events: Set<String> = []

    /// - Parameters:
    ///   - loop: the loop of the test.
    ///   - sync: how long values wait before they are stored.
    /// - Throws: an error if a program cannot be started.
    init(_ loop: EventLoop, sync: String) throws {
        self.loop = loop
        folder = try TemporaryFolder()
        broker = try Broker()
        let values = (0..<20_000).map { "\(Double($0) / 100)" }.joined(separator: ", ")
        house = try SimulatedHouse(
            """
            adapters: {hci0: {address: "00:00:5E:00:53:01"}}
            peripherals:
              sensor:
                address: C0:00:00:00:00:01
                services:
                  - uuid: 181A
                    characteristics:
                      - {uuid: temperature, flags: [read, notify], value: {list: [\(values)]}, notify: 50ms}
            """)
        try folder.write(
            """
            gateway: attic
            state_directory: \(folder.path)/state
            log: debug
            mqtt: {url: "mqtt://127.0.0.1:\(broker.port)"}
            home_assistant: {discovery: none}
            spool: {keep: all, sync: \(sync)}
            devices:
              sensor:
                address: C0:00:00:00:00:01
                characteristics: {temperature: {service: 181A, uuid: 2A6E, subscribe: true}}
            """, to: "bluefleet.yaml")
        bridge = try Self.startBridge(folder, house)
        var settings = Client.Settings(.tcp(host: "127.0.0.1", port: broker.port), identifier: "subscriber")
        settings.backoff = Backoff(first: .milliseconds(5), longest: .milliseconds(50))
        let subscriber = try Client(settings, on: loop) { [weak self] event in
            if case .received(let message) = event { self?.received(message) }
        }
        subscriber.subscribe(to: "#")
        subscriber.start()
        self.subscriber = subscriber
    }

    func close() async {
        try? set("")
        bridge.send(SIGTERM)
        _ = bridge.exit()
        await subscriber?.close()
        folder.remove()
    }

    private static func startBridge(_ folder: TemporaryFolder, _ house: SimulatedHouse) throws -> RunningBluefleet {
        let library = Bluefleet.path.deletingLastPathComponent().appendingPathComponent("libDiskFaults.so").path
        return try RunningBluefleet(
            ["run", folder.path("bluefleet.yaml"), "--bus", house.bus],
            environment: ["LD_PRELOAD": library, "BLUEFLEET_DISK_FAULTS": folder.path("fault")])
    }

    /// Stops the bridge, and starts it with the same fault.
    func restartBridge() throws {
        bridge.send(SIGTERM)
        _ = bridge.exit()
        bridge = try Self.startBridge(folder, house)
    }

    /// Ends the bridge as a lack of memory does.
    func killBridge() {
        bridge.send(SIGKILL)
        _ = bridge.exit()
    }

    /// Starts the bridge after `killBridge()`.
    func startBridge() throws {
        bridge = try Self.startBridge(folder, house)
    }

    /// The number of messages that would wait for the broker after a start of the bridge.
    func storedCount() throws -> Int {
        try SpoolContents(of: folder.path("state/spool")).count
    }

    /// Whether SQLite has stored a value.
    var hasFile: Bool { access(folder.path("state/spool/spool.db"), F_OK) == 0 }

    // MARK: The disk

    /// Sets the fault, such as `EIO`; empty: none.
    func set(_ fault: String) throws {
        try Data(fault.utf8).write(to: URL(fileURLWithPath: folder.path("fault")), options: .atomic)
    }

    var isHanging: Bool { access(folder.path("fault.hanging"), F_OK) == 0 }

    func waitForHanging() {
        while !isHanging { usleep(1000) }
    }

    /// Returns when the file of the spool has its first values.
    func waitForFile() throws {
        while access(folder.path("state/spool/spool.db-wal"), F_OK) != 0 { usleep(1000) }
    }

    var hasSpoolFolder: Bool { access(folder.path("state/spool"), F_OK) == 0 }

    // MARK: Messages

    private func received(_ message: Message) {
        let topic = "\(message.topic)"
        guard let json = try? JSON(parsing: message.payload) else { return }
        // An event that waits for the broker on the disk arrives late.
        if topic.hasSuffix("/event"), let type = json["type"]?.string { events.insert(type) }
        if topic.contains("/response/") { answers[topic] = json }
        guard topic.hasSuffix("sensor/temperature"), let value = json["value"]?.double else { return }
        numbers.insert(Int((value * 100).rounded()))
        if topic.contains("/late/"), let id = json["id"]?.int {
            isLate = true
            if !lateIDs.insert(id).inserted { repeatedCount += 1 }
        } else {
            liveCount += 1
        }
    }

    /// The numbers that did not arrive, between the first and the last one.
    var missing: [Int] {
        guard let first = numbers.min(), let last = numbers.max() else { return [] }
        return (first...last).filter { !numbers.contains($0) }
    }

    /// The number of different late values.
    var lateCount: Int { lateIDs.count }

    /// Waits for a number of further live values.
    func values(_ count: Int) async throws {
        let goal = liveCount + count
        try await until("\(count) values") { liveCount >= goal }
    }

    func spool() async throws -> JSON { try await answer("spool") }

    /// Asks for the state of the spool until it satisfies a condition.
    func untilSpool(_ condition: (JSON) -> Bool) async throws {
        while try await !condition(spool()) { await loop.sleep(for: .milliseconds(50)) }
    }

    /// Sends a request that does not need the disk.
    func log() async throws -> JSON { try await answer("log", #"{"for":"1s"}"#) }

    private func answer(_ verb: String, _ payload: String = "{}") async throws -> JSON {
        let topic = "bluefleet/bridge/attic/response/\(verb)"
        answers[topic] = nil
        subscriber?.publish(
            Message(try Topic("bluefleet/bridge/attic/request/\(verb)"), Array(payload.utf8)), policy: .each)
        try await until(topic) { answers[topic] != nil }
        return answers[topic]?["data"] ?? .null
    }

    /// Runs the loop until `condition` holds; a test whose message does not arrive fails after a minute.
    func until(_ what: String, _ condition: () throws -> Bool) async throws {
        var isOver = false
        let guardian = loop.schedule(after: .seconds(60)) { isOver = true }
        defer { guardian.cancel() }
        while try !condition() {
            guard !isOver else { throw Missing(what: "\(what); missing: \(missing.suffix(5)), events: \(events)") }
            await loop.sleep(for: .milliseconds(1))
        }
    }
}
