import EventLoop
import JSON
import MQTT
import Simulator
import TestSupport
import Testing

/// What the bridge needs comes and goes; it says what is missing, keeps running and goes on (the issue, "Bad input").
@Suite struct OutageTests {
    private let climate = Script.climate("connect: always").beating()

    /// Waits until the gateway says that Bluetooth is in a state, and gives the reason.
    private func bluetooth(_ state: String, _ stage: Stage) async throws -> String {
        try await stage.record.next("bluefleet/bridge/attic/info") { $0["bluetooth"]?.string == state }["reason"]?
            .string ?? ""
    }

    /// Waits for a reading that comes after all that have come so far.
    private func newReading(_ stage: Stage) async throws {
        let count = stage.record.all("bluefleet/climate/temperature").count
        try await stage.until("a new reading") { stage.record.all("bluefleet/climate/temperature").count > count }
    }

    // MARK: Bluetooth

    @Test func `no bluetoothd: it says so, and goes on when there is one`() throws {
        try onStage(climate.with { $0.hasBluetoothd = false }) { _, stage in
            let reason = try await bluetooth("resetting", stage)
            #expect(reason == "bluetoothd is not running: systemctl start bluetooth")
            let offline = try await stage.availability(of: "climate", "offline")
            #expect(offline["reason"]?.string?.isEmpty == false)
            try await stage.startSimulation()
            try await newReading(stage)
            try await stage.availability(of: "climate", "online")
        }
    }

    @Test func `no bus: it says so, and goes on when there is one`() throws {
        try onStage(climate.with { ($0.hasBus, $0.hasBluetoothd) = (false, false) }) { _, stage in
            let reason = try await bluetooth("resetting", stage)
            #expect(reason.hasPrefix("no connection to the bus at unix:path="))
            try await stage.startBus()
            try await stage.startSimulation()
            try await newReading(stage)
        }
    }

    @Test func `no adapter: it says so, and goes on when one is plugged in`() throws {
        try onStage(climate.with { $0.hasGateway = false }) { _, stage in
            try await stage.direct { try $0.remove("hci0") }
            try await stage.startGatewayAlone()
            let reason = try await bluetooth("unsupported", stage)
            #expect(reason == "there is no Bluetooth adapter")
            try await stage.direct { try $0.add("hci0", as: "hci3") }
            try await newReading(stage)
            let connection = try await stage.connection(of: "climate", "connected")
            #expect(connection["adapter"] == "hci3")
        }
    }

    @Test func `only the configured adapters are used`() throws {
        let script = climate.with {
            $0.fleet = """
                adapters:
                  hci1: {address: "00:00:5E:00:53:01"}
                  hci10: {address: "00:00:5E:00:53:0A"}

                """ + $0.fleet
            $0.configuration += #"\#nbluetooth: {adapters: ["00:00:5E:00:53:0A"]}"#
        }
        try onStage(script) { _, stage in
            let connection = try await stage.connection(of: "climate", "connected")
            #expect(connection["adapter"] == "hci10")
            try await newReading(stage)
        }
    }

    @Test func `the adapter is switched off and on`() throws {
        try onStage(climate) { _, stage in
            try await newReading(stage)
            try await stage.direct { try $0.switchPower(of: "hci0", on: false) }
            let reason = try await bluetooth("poweredOff", stage)
            #expect(reason == "hci0 (00:00:5E:00:53:01) is off: bluetoothctl power on")
            try await stage.availability(of: "climate", "offline")
            try await stage.direct { try $0.switchPower(of: "hci0", on: true) }
            try await stage.availability(of: "climate", "online")
            try await newReading(stage)
        }
    }

    @Test func `the adapter is pulled out and comes back under another name`() throws {
        try onStage(climate) { _, stage in
            try await newReading(stage)
            try await stage.direct { try $0.remove("hci0") }
            _ = try await bluetooth("unsupported", stage)
            try await stage.availability(of: "climate", "offline")
            try await stage.direct { try $0.add("hci0", as: "hci1") }
            try await stage.availability(of: "climate", "online")
            try await newReading(stage)
        }
    }

    @Test func `bluetoothd crashes and is started again`() throws {
        try onStage(climate) { _, stage in
            try await newReading(stage)
            await stage.simulation?.stopBluetoothd()
            let reason = try await bluetooth("resetting", stage)
            #expect(reason == "bluetoothd has stopped")
            try await stage.availability(of: "climate", "offline")
            try await stage.simulation?.startBluetoothd()
            try await stage.availability(of: "climate", "online")
            try await newReading(stage)
        }
    }

    @Test func `the bus goes away and comes back`() throws {
        try onStage(climate) { _, stage in
            try await newReading(stage)
            await stage.stopSimulation()
            await stage.stopBus()
            _ = try await bluetooth("resetting", stage)
            try await stage.availability(of: "climate", "offline")
            try await stage.startBus()
            try await stage.startSimulation()
            try await stage.availability(of: "climate", "online")
            try await newReading(stage)
        }
    }

    @Test func `the bus's policy refuses us: it says so, and goes on when that is mended`() throws {
        let fleet = #"adapters: {hci0: {address: "00:00:5E:00:53:01", faults: [access denied]}}"#
        try onStage(climate.with { ($0.fleet, $0.hasGateway) = (fleet + "\n" + $0.fleet, false) }) { _, stage in
            try await stage.startGatewayAlone()
            let reason = try await bluetooth("unauthorized", stage)
            #expect(reason.hasPrefix("the D-Bus policy refuses org.bluez to this user: "))
            try await stage.direct { try $0.cancel(.accessDenied, of: "hci0") }
            try await newReading(stage)
        }
    }

    @Test func `commands that wait when bluetoothd goes are answered`() throws {
        let script = Script.house(Script.relay)
        try onStage(script) { _, stage in
            try await stage.request("relay/state/get")
            try await stage.plan(.operationHangs, for: "relay")
            try stage.ask("relay/state/get")
            try stage.ask("relay/request/rssi")
            _ = try await stage.response(to: "relay/request/rssi")
            await stage.simulation?.stopBluetoothd()
            let answer = try await stage.response(to: "relay/state/get")
            #expect(answer["error"]?["code"] == "bluetooth_off", "\(answer)")
        }
    }

    // MARK: The broker

    @Test func `the broker goes and comes back: everything is said again, and requests are answered`() throws {
        try onStage(.house(Script.relay)) { _, stage in
            try await stage.request("relay/state/get")
            stage.broker.kill()
            try stage.broker.start()
            try await stage.record.next("bluefleet/bridge/attic/state") { $0["state"] == "online" }
            for topic in ["bridge/attic/info", "relay/info", "relay/connection", "relay/availability"] {
                try await stage.record.next("bluefleet/\(topic)")
            }
            let retained = try await stage.retained()
            #expect(retained["bluefleet/relay/availability"] == #"{"state":"online"}"#)
            #expect(try await stage.request("relay/state/get")["status"] == "ok")
            #expect(try await stage.events(of: "relay").count { $0 == "connected" } == 1)
        }
    }

    @Test func `no broker at the start: it goes on when there is one`() throws {
        try onStage(.house(Script.relay).with { $0.hasGateway = false }) { _, stage in
            stage.broker.stop()
            try await stage.startGatewayAlone()
            try stage.broker.start()
            try await stage.record.next("bluefleet/bridge/attic/state") { $0["state"] == "online" }
            try await stage.record.next("bluefleet/bridge/attic/info") { $0["bluetooth"] == "poweredOn" }
            #expect(try await stage.request("relay/state/get")["status"] == "ok")
        }
    }
}
