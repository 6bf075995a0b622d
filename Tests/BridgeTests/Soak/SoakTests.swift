import EventLoop
import Foundation
import JSON
import MQTT
import Simulator
import TestSupport
import Testing

/// How long each of the long tests works.
private let soakTime = Duration.seconds(
    60 * (Double(ProcessInfo.processInfo.environment["BLUEFLEET_SOAK"] ?? "") ?? 0))
/// What everything random follows from.
private let seed = Int(ProcessInfo.processInfo.environment["BLUEFLEET_SEED"] ?? "") ?? 1

/// Hours of work, for as many minutes as `BLUEFLEET_SOAK` says; without it there are none of these.
///
///     BLUEFLEET_SOAK=10 BLUEFLEET_SEED=7 swift test --filter SoakTests
@Suite(.enabled(if: soakTime > .zero), .serialized) struct SoakTests {
    private static func say(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }

    private static func device(_ number: Int, _ connect: String) -> String {
        let address = "C0:00:00:00:01:" + (number < 16 ? "0" : "") + String(number, radix: 16)
        return """
            sensor-\(number + 1):
              address: \(address)
              connect: \(connect)
              within: 30s
              characteristics:
                battery: {service: 180F, uuid: 2A19, read: 1h}
                temperature: {service: 181A, uuid: 2A6E, subscribe: true}
            """.indented(by: 2)
    }

    private static func fleet(_ count: Int, connections: Int, bluetoothd: String = "5.66") -> String {
        """
        bluetoothd: "\(bluetoothd)"
        adapters: {hci0: {address: "00:00:5E:00:53:01", connections: \(connections)}}
        peripherals:
          sensor:
            address: C0:00:00:00:01:00
            copies: \(count)
            advertise: {every: 1s}
            pace: {connect: 100ms, resolve: 300ms, read: 30ms, subscribe: 30ms, disconnect: 2s}
            services:
              - uuid: 181A
                characteristics: [{uuid: temperature, flags: [read, notify], value: 20, notify: 1s}]
              - {uuid: 180F, characteristics: [{uuid: battery_level, flags: [read], value: 90}]}
        """
    }

    private static func names(_ count: Int) -> [String] { (1...count).map { "sensor-\($0)" } }

    private static func tally(_ count: Int, _ stage: Stage) throws -> (Tally, Client) {
        let tally = Tally(of: "temperature", devices: names(count), on: stage.loop)
        let client = try stage.client("tally") { event in
            if case .received(let message) = event { tally.add(message) }
        }
        client.subscribe(to: "bluefleet/#")
        client.start()
        return (tally, client)
    }

    @Test func `a hundred devices on five connections all have their turn, again and again`() throws {
        let devices = (0..<100).map { Self.device($0, "every 2m") }
        let script = Script(
            fleet: Self.fleet(100, connections: 5),
            "bluetooth: {connections: 5}\ndevices:\n" + devices.joined(separator: "\n"))
        try onStage(script) { _, stage in
            let (tally, client) = try Self.tally(100, stage)
            await stage.loop.sleep(for: soakTime)
            tally.finish()
            await client.close()
            Self.say(
                "100 on 5: \(tally.fewest) to \(tally.most) readings each, the longest wait \(tally.longestGap)")
            // One round takes about a minute; nobody misses two in a row.
            #expect(tally.longestGap < .seconds(300))
        }
    }

    /// What may go wrong with one peripheral.
    private static let faults: [Fault] = [
        .connectHangs, .connectWithoutLink, .connectAborts, .connectInProgress, .vanishesWhileConnecting,
        .linkLostWhileResolving, .neverResolves, .resolvedTooEarly, .resolvedWithoutServices, .disconnectHangs,
        .operationInProgress, .operationHangs, .attributesLost, .subscriptionLost, .acquireHangs, .servicesChangeSlowly,
        .batteryHidden,
    ]

    /// What may go wrong with an adapter.
    private static let adapterFaults: [Fault] = [.discoveryInProgress, .scanDies, .accessDenied]

    @Test(arguments: [("signals", "5.66"), ("descriptor", "5.82"), ("auto", "5.86")])
    func `with random faults nothing gets stuck`(notify: String, bluetoothd: String) throws {
        let count = 20
        let devices = (0..<count).map { Self.device($0, ["always", "always", "every 20s"][$0 % 3]) }
        let script = Script(
            fleet: Self.fleet(count, connections: 12, bluetoothd: bluetoothd),
            "bluetooth: {connections: 12, notify: \(notify)}\ndevices:\n" + devices.joined(separator: "\n"))
        try onStage(script) { _, stage in
            let (tally, client) = try Self.tally(count, stage)
            var random = SeededGenerator(seed: seed)
            let end = stage.loop.now + soakTime
            var mishaps = 0
            while stage.loop.now < end {
                try await Self.mishap(count, stage, &random)
                mishaps += 1
                await stage.loop.sleep(for: .milliseconds(Int.random(in: 50...2000, using: &random)))
            }
            let longestGap = tally.longestGap
            try await Self.mendAll(count, stage)
            let well = stage.loop.now
            while tally.count(since: well) < count, stage.loop.now - well < .seconds(300) {
                await stage.loop.sleep(for: .milliseconds(100))
            }
            let recovery = stage.loop.now - well
            let lost = tally.entries.filter { $0.value.last < well }.keys.sorted()
            let slow = tally.entries.max { $0.value.last < $1.value.last }?.key ?? ""
            let repairs = stage.record.all("bluefleet/bridge/attic/event").count { $0.json?["type"] == "repair" }
            Self.say(
                "\(notify), bluetoothd \(bluetoothd), seed \(seed): \(mishaps) mishaps, \(repairs) repairs, "
                    + "\(tally.fewest) to \(tally.most) readings each, the longest gap \(longestGap); all well "
                    + "\(recovery) after the last, \(slow) as the last one")
            for message in stage.record.all("bluefleet/\(slow)/connection").suffix(12) { Self.say(message.text ?? "") }
            for name in lost {
                Self.say("\(name) is lost:")
                for message in stage.record.all("bluefleet/\(name)/connection").suffix(12) {
                    Self.say(message.text ?? "")
                }
            }
            #expect(lost.isEmpty)
            await client.close()
        }
    }

    private static func mendAll(_ count: Int, _ stage: Stage) async throws {
        try await stage.direct { scene in
            for fault in adapterFaults { try scene.cancel(fault, of: "hci0") }
        }
        for name in names(count) {
            try await stage.direct { scene in
                for fault in faults { try scene.cancel(fault, of: name) }
                try scene.switchAdvertising(of: name, on: true)
            }
        }
    }

    private static func mishap(_ count: Int, _ stage: Stage, _ random: inout SeededGenerator) async throws {
        let name = "sensor-\(Int.random(in: 1...count, using: &random))"
        let fault = faults.randomElement(using: &random) ?? .connectAborts
        let times = Int.random(in: 1...3, using: &random)
        let kind = Int.random(in: 0..<200, using: &random)
        switch kind {
        case 0...1:
            await stage.simulation?.stopBluetoothd()
            await stage.loop.sleep(for: .milliseconds(500))
            try await stage.simulation?.startBluetoothd()
        case 2...4:
            try await stage.direct { try $0.switchPower(of: "hci0", on: false) }
            await stage.loop.sleep(for: .milliseconds(500))
            try await stage.direct { try $0.switchPower(of: "hci0", on: true) }
        case 5:
            try await stage.direct { try $0.remove("hci0") }
            await stage.loop.sleep(for: .milliseconds(500))
            try await stage.direct { try $0.add("00:00:5E:00:53:01", as: "hci0") }
        case 6...8:
            let fault = adapterFaults.randomElement(using: &random) ?? .scanDies
            try await stage.plan(fault, for: "hci0")
            await stage.loop.sleep(for: .seconds(5))
            try await stage.direct { try $0.cancel(fault, of: "hci0") }
        case 9..<100: try await stage.plan(fault, times: times, for: name)
        case 100..<150: try await stage.direct { try $0.dropLink(of: name) }
        case 150..<170: try await stage.direct { try $0.changeAttributes(of: name) }
        default: try await stage.direct { try $0.switchAdvertising(of: name, on: kind < 190) }
        }
    }
}
