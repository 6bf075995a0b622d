import EventLoop
import Foundation
import JSON
import MQTT
import Simulator
import System
import TestSupport
import Testing

/// The duration of each long test.
private let soakTime = Duration.seconds(
    60 * (Double(ProcessInfo.processInfo.environment["BLUEFLEET_SOAK"] ?? "") ?? 0))
/// The seed of all random choices.
private let seed = Int(ProcessInfo.processInfo.environment["BLUEFLEET_SEED"] ?? "") ?? 1

/// Long tests of `BLUEFLEET_SOAK` minutes each; they run only if that variable is set.
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

    private static func tally(_ count: Int, _ fixture: Fixture) throws -> (Tally, Client) {
        let tally = Tally(of: "temperature", devices: names(count), on: fixture.loop)
        let client = try fixture.client("tally") { event in
            if case .received(let message) = event { tally.add(message) }
        }
        client.subscribe(to: "bluefleet/#")
        client.start()
        return (tally, client)
    }

    @Test func `a hundred devices take turns on five connections`() throws {
        let devices = (0..<100).map { Self.device($0, "every 2m") }
        let scenario = Scenario(
            fleet: Self.fleet(100, connections: 5),
            "bluetooth: {connections: 5}\ndevices:\n" + devices.joined(separator: "\n"))
        try withFixture(scenario) { fixture in
            let (tally, client) = try Self.tally(100, fixture)
            await fixture.loop.sleep(for: soakTime)
            tally.finish()
            await client.close()
            Self.say(
                "100 on 5: \(tally.fewest) to \(tally.most) readings each, the longest wait \(tally.longestGap)")
            // One round takes about a minute; no device misses two in a row.
            #expect(tally.longestGap < .seconds(300))
        }
    }

    /// A random fault of one peripheral.
    private static let faults: [Fault] = [
        .connectHangs, .connectWithoutLink, .connectAborts, .connectInProgress, .vanishesWhileConnecting,
        .linkLostWhileResolving, .neverResolves, .resolvedTooEarly, .resolvedWithoutServices, .disconnectHangs,
        .operationInProgress, .operationHangs, .attributesLost, .subscriptionLost, .acquireHangs, .servicesChangeSlowly,
        .batteryHidden,
    ]

    /// A random fault of an adapter.
    private static let adapterFaults: [Fault] = [.discoveryInProgress, .scanDies, .accessDenied]

    @Test(arguments: [("signals", "5.66"), ("descriptor", "5.82"), ("auto", "5.86")])
    func `no device gets stuck under random faults`(notify: String, bluetoothd: String) throws {
        let count = 20
        let devices = (0..<count).map { Self.device($0, ["always", "always", "every 20s"][$0 % 3]) }
        let scenario = Scenario(
            fleet: Self.fleet(count, connections: 12, bluetoothd: bluetoothd),
            "bluetooth: {connections: 12, notify: \(notify)}\ndevices:\n" + devices.joined(separator: "\n"))
        try withFixture(scenario) { fixture in
            let (tally, client) = try Self.tally(count, fixture)
            var random = SeededGenerator(seed: seed)
            let end = fixture.loop.now + soakTime
            var mishaps = 0
            while fixture.loop.now < end {
                try await Self.mishap(count, fixture, &random)
                mishaps += 1
                await fixture.loop.sleep(for: .milliseconds(Int.random(in: 50...2000, using: &random)))
            }
            let longestGap = tally.longestGap
            try await Self.mendAll(count, fixture)
            let well = fixture.loop.now
            while tally.count(since: well) < count, fixture.loop.now - well < .seconds(300) {
                await fixture.loop.sleep(for: .milliseconds(100))
            }
            let recovery = fixture.loop.now - well
            let lost = tally.entries.filter { $0.value.last < well }.keys.sorted()
            let slow = tally.entries.max { $0.value.last < $1.value.last }?.key ?? ""
            let repairs = fixture.recorder.all("bluefleet/bridge/attic/event").count { $0.json?["type"] == "repair" }
            Self.say(
                "\(notify), bluetoothd \(bluetoothd), seed \(seed): \(mishaps) mishaps, \(repairs) repairs, "
                    + "\(tally.fewest) to \(tally.most) readings each, the longest gap \(longestGap); all well "
                    + "\(recovery) after the last, \(slow) as the last one")
            for message in fixture.recorder.all("bluefleet/\(slow)/connection").suffix(12) {
                Self.say(message.text ?? "")
            }
            for name in lost {
                Self.say("\(name) is lost:")
                for message in fixture.recorder.all("bluefleet/\(name)/connection").suffix(12) {
                    Self.say(message.text ?? "")
                }
            }
            #expect(lost.isEmpty)
            await client.close()
        }
    }

    private static func mendAll(_ count: Int, _ fixture: Fixture) async throws {
        try await fixture.direct { scene in
            for fault in adapterFaults { try scene.cancel(fault, of: "hci0") }
        }
        for name in names(count) {
            try await fixture.direct { scene in
                for fault in faults { try scene.cancel(fault, of: name) }
                try scene.switchAdvertising(of: name, on: true)
            }
        }
    }

    private static func mishap(_ count: Int, _ fixture: Fixture, _ random: inout SeededGenerator) async throws {
        let name = "sensor-\(Int.random(in: 1...count, using: &random))"
        let fault = faults.randomElement(using: &random) ?? .connectAborts
        let times = Int.random(in: 1...3, using: &random)
        let kind = Int.random(in: 0..<200, using: &random)
        switch kind {
        case 0...1:
            await fixture.simulation?.stopBluetoothd()
            await fixture.loop.sleep(for: .milliseconds(500))
            try await fixture.simulation?.startBluetoothd()
        case 2...4:
            try await fixture.direct { try $0.switchPower(of: "hci0", on: false) }
            await fixture.loop.sleep(for: .milliseconds(500))
            try await fixture.direct { try $0.switchPower(of: "hci0", on: true) }
        case 5:
            try await fixture.direct { try $0.remove("hci0") }
            await fixture.loop.sleep(for: .milliseconds(500))
            try await fixture.direct { try $0.add("00:00:5E:00:53:01", as: "hci0") }
        case 6...8:
            let fault = adapterFaults.randomElement(using: &random) ?? .scanDies
            try await fixture.plan(fault, for: "hci0")
            await fixture.loop.sleep(for: .seconds(5))
            try await fixture.direct { try $0.cancel(fault, of: "hci0") }
        case 9..<100: try await fixture.plan(fault, times: times, for: name)
        case 100..<150: try await fixture.direct { try $0.dropLink(of: name) }
        case 150..<170: try await fixture.direct { try $0.changeAttributes(of: name) }
        default: try await fixture.direct { try $0.switchAdvertising(of: name, on: kind < 190) }
        }
    }
}
