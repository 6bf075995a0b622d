import EventLoop
import JSON
import MQTT
import Simulator
import TestSupport
import TestTraits
import Testing

/// Outages of bluetoothd, the bus, the adapter and the broker: the gateway reports them, keeps running and recovers.
@Suite(.ownThreads) struct OutageTests {
    private let climate = Scenario.climate("connect: always").beating()

    /// Waits until the gateway reports a state of Bluetooth, and returns its reason.
    private func bluetooth(_ state: String, _ fixture: Fixture) async throws -> String {
        try await fixture.recorder.next("bluefleet/bridge/attic/info") { $0["bluetooth"]?.string == state }["reason"]?
            .string ?? ""
    }

    /// Waits for a reading after all that have arrived so far.
    private func newReading(_ fixture: Fixture) async throws {
        let count = fixture.recorder.all("bluefleet/climate/temperature").count
        try await fixture.until("a new reading") { fixture.recorder.all("bluefleet/climate/temperature").count > count }
    }

    // MARK: Bluetooth

    @Test func `without bluetoothd the gateway reports it, and continues when it starts`() throws {
        try withFixture(climate.with { $0.hasBluetoothd = false }) { fixture in
            let reason = try await bluetooth("resetting", fixture)
            #expect(reason == "bluetoothd is not running: sudo systemctl start bluetooth")
            let offline = try await fixture.availability(of: "climate", "offline")
            #expect(offline["reason"]?.string?.isEmpty == false)
            try await fixture.startSimulation()
            try await newReading(fixture)
            try await fixture.availability(of: "climate", "online")
        }
    }

    @Test func `without a bus the gateway reports it, and continues when there is one`() throws {
        try withFixture(climate.with { ($0.hasBus, $0.hasBluetoothd) = (false, false) }) { fixture in
            let reason = try await bluetooth("resetting", fixture)
            #expect(reason.hasPrefix("no connection to the bus at unix:path="))
            try await fixture.startBus()
            try await fixture.startSimulation()
            try await newReading(fixture)
        }
    }

    @Test func `without an adapter the gateway reports it, and continues when one is plugged in`() throws {
        try withFixture(climate.with { $0.hasGateway = false }) { fixture in
            try await fixture.direct { try $0.remove("hci0") }
            try await fixture.startGatewayAlone()
            let reason = try await bluetooth("unsupported", fixture)
            #expect(reason == "there is no Bluetooth adapter")
            try await fixture.direct { try $0.add("hci0", as: "hci3") }
            try await newReading(fixture)
            let connection = try await fixture.connection(of: "climate", "connected")
            #expect(connection["adapter"] == "hci3")
        }
    }

    @Test func `only the configured adapters are used`() throws {
        let scenario = climate.with {
            $0.fleet = """
                adapters:
                  hci1: {address: "00:00:5E:00:53:01"}
                  hci10: {address: "00:00:5E:00:53:0A"}

                """ + $0.fleet
            $0.configuration += #"\#nbluetooth: {adapters: ["00:00:5E:00:53:0A"]}"#
        }
        try withFixture(scenario) { fixture in
            let connection = try await fixture.connection(of: "climate", "connected")
            #expect(connection["adapter"] == "hci10")
            try await newReading(fixture)
        }
    }

    @Test func `devices come back after the adapter was switched off and on`() throws {
        try withFixture(climate) { fixture in
            try await newReading(fixture)
            try await fixture.direct { try $0.switchPower(of: "hci0", on: false) }
            let reason = try await bluetooth("poweredOff", fixture)
            #expect(reason == "hci0 (00:00:5E:00:53:01) is off: bluetoothctl power on")
            try await fixture.availability(of: "climate", "offline")
            try await fixture.direct { try $0.switchPower(of: "hci0", on: true) }
            try await fixture.availability(of: "climate", "online")
            try await newReading(fixture)
        }
    }

    @Test func `the reason names all adapters, and info lists them`() throws {
        let scenario = climate.with {
            $0.fleet = """
                adapters:
                  hci0: {address: "00:00:5E:00:53:01"}
                  hci1: {address: "00:00:5E:00:53:0A"}

                """ + $0.fleet
        }
        try withFixture(scenario) { fixture in
            let (first, second) = ("hci0 (00:00:5E:00:53:01) is", "hci1 (00:00:5E:00:53:0A) is")
            let info = "bluefleet/bridge/attic/info"
            try await newReading(fixture)
            // No message reports only one of the adapters.
            let reasons = fixture.recorder.all(info).compactMap { $0.json?["reason"]?.string }
            #expect(reasons.first { $0 != "not started" } == "\(first) on, \(second) on")
            try await fixture.direct { try $0.switchPower(of: "hci1", on: false) }
            try await fixture.recorder.next(info) { info in
                info["reason"]?.string == "\(first) on, \(second) off: bluetoothctl power on"
                    && info["adapters"]?.array?.map { $0["powered"] } == [true, false]
            }
        }
    }

    @Test func `devices come back when the adapter returns with another name`() throws {
        try withFixture(climate) { fixture in
            try await newReading(fixture)
            try await fixture.direct { try $0.remove("hci0") }
            _ = try await bluetooth("unsupported", fixture)
            try await fixture.availability(of: "climate", "offline")
            try await fixture.direct { try $0.add("hci0", as: "hci1") }
            try await fixture.availability(of: "climate", "online")
            try await newReading(fixture)
        }
    }

    @Test func `devices come back after bluetoothd has crashed`() throws {
        try withFixture(climate) { fixture in
            try await newReading(fixture)
            await fixture.simulation?.stopBluetoothd()
            let reason = try await bluetooth("resetting", fixture)
            #expect(reason == "bluetoothd has stopped")
            try await fixture.availability(of: "climate", "offline")
            try await fixture.simulation?.startBluetoothd()
            try await fixture.availability(of: "climate", "online")
            try await newReading(fixture)
        }
    }

    @Test func `devices come back after the bus was away`() throws {
        try withFixture(climate) { fixture in
            try await newReading(fixture)
            await fixture.stopSimulation()
            await fixture.stopBus()
            _ = try await bluetooth("resetting", fixture)
            try await fixture.availability(of: "climate", "offline")
            try await fixture.startBus()
            try await fixture.startSimulation()
            try await fixture.availability(of: "climate", "online")
            try await newReading(fixture)
        }
    }

    @Test func `a bus policy that denies access is reported, and the gateway continues when it is fixed`() throws {
        let fleet = #"adapters: {hci0: {address: "00:00:5E:00:53:01", faults: [access denied]}}"#
        try withFixture(climate.with { ($0.fleet, $0.hasGateway) = (fleet + "\n" + $0.fleet, false) }) { fixture in
            try await fixture.startGatewayAlone()
            let reason = try await bluetooth("unauthorized", fixture)
            #expect(reason.hasPrefix("the D-Bus policy does not allow this user to call org.bluez: "))
            try await fixture.direct { try $0.cancel(.accessDenied, of: "hci0") }
            try await newReading(fixture)
        }
    }

    @Test func `commands that wait when bluetoothd exits get a response`() throws {
        let scenario = Scenario.house(Scenario.relay)
        try withFixture(scenario) { fixture in
            try await fixture.request("relay/state/get")
            try await fixture.plan(.operationHangs, for: "relay")
            try fixture.ask("relay/state/get")
            try fixture.ask("relay/request/rssi")
            _ = try await fixture.response(to: "relay/request/rssi")
            await fixture.simulation?.stopBluetoothd()
            let answer = try await fixture.response(to: "relay/state/get")
            #expect(answer["error"]?["code"] == "bluetooth_off", "\(answer)")
        }
    }

    // MARK: The broker

    @Test func `after an outage of the broker everything retained is published again, and requests are answered`()
        throws
    {
        try withFixture(.house(Scenario.relay)) { fixture in
            try await fixture.request("relay/state/get")
            fixture.broker.kill()
            try fixture.broker.start()
            try await fixture.recorder.next("bluefleet/bridge/attic/state") { $0["state"] == "online" }
            for topic in ["bridge/attic/info", "relay/info", "relay/connection", "relay/availability"] {
                try await fixture.recorder.next("bluefleet/\(topic)")
            }
            let retained = try await fixture.retained()
            #expect(retained["bluefleet/relay/availability"] == #"{"state":"online"}"#)
            #expect(try await fixture.request("relay/state/get")["status"] == "ok")
            #expect(try await fixture.events(of: "relay").count { $0 == "connected" } == 1)
        }
    }

    @Test func `without a broker at the start the gateway continues when there is one`() throws {
        try withFixture(.house(Scenario.relay).with { $0.hasGateway = false }) { fixture in
            fixture.broker.stop()
            try await fixture.startGatewayAlone()
            try fixture.broker.start()
            try await fixture.recorder.next("bluefleet/bridge/attic/state") { $0["state"] == "online" }
            try await fixture.recorder.next("bluefleet/bridge/attic/info") { $0["bluetooth"] == "poweredOn" }
            #expect(try await fixture.request("relay/state/get")["status"] == "ok")
        }
    }
}
