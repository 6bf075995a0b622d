import Bluetooth
import Codec
import DBus
import EventLoop
import JSON
import Simulator
import Testing

/// The simulated part of the fixture: peripherals, adapters and bluetoothd.
extension Fixture {
    /// Changes the simulated scene: `try await fixture.direct { try $0.dropLink(of: "climate") }`.
    @discardableResult
    func direct<Answer: Sendable>(_ body: @Sendable (Scene) throws -> Answer) async throws -> Answer {
        guard let simulation else { preconditionFailure("there is no simulation to direct") }
        return try await simulation.direct { scene in Result { try body(scene) } }.get()
    }

    /// Makes a peripheral notify a value.
    func notify(_ hex: String, from uuid: String, of peripheral: String) async throws {
        let uuid = try #require(UUID(uuid))
        let value = try #require([UInt8](hexadecimal: hex))
        try await direct { try $0.notify(value, from: uuid, of: peripheral) }
    }

    /// Adds a fault to a peripheral or an adapter.
    func plan(_ fault: Fault, times: Int? = nil, for name: String) async throws {
        try await direct { try $0.plan(Fault.Rule(fault, times: times), for: name) }
    }

    /// Calls a method of the climate sensor from another program with an agent of its own.
    func callByAnother(_ method: String) async throws {
        let other = try await Connection.open(busAddress, loop: loop)
        _ = try await other.call(
            Message(
                call: "RegisterAgent", on: "org.bluez.AgentManager1", at: "/org/bluez", of: "org.bluez",
                [.objectPath("/agent"), .string("NoInputNoOutput")]))
        _ = try await other.call(
            Message(
                call: method, on: "org.bluez.Device1", at: "/org/bluez/hci0/dev_C0_00_00_00_00_01", of: "org.bluez"))
        await other.close()
    }

    /// Returns the operations that clients performed on a peripheral, such as `read 2A6E` or `write 2A56 01`.
    func events(of peripheral: String) async throws -> [String] {
        try await direct { try $0.events(of: peripheral) }
            .filter { $0.client != "bluetoothd" }
            .map { event in
                let uuid = event.uuid.map { " \($0)" } ?? ""
                return "\(event.kind.rawValue)\(uuid)\(event.value.isEmpty ? "" : " " + event.value.hexadecimal)"
            }
    }

    /// Waits until an operation was performed on a peripheral.
    func event(_ wanted: String, of peripheral: String, times: Int = 1) async throws {
        try await until("\(peripheral): \(wanted)") {
            try await self.events(of: peripheral).count { $0 == wanted } >= times
        }
    }

    /// Runs the loop until `condition` holds.
    func until(_ what: String, _ condition: () async throws -> Bool) async throws {
        let limit = Recorder.WaitLimit(recorder)
        defer { limit.end() }
        while try await !condition() {
            guard !limit.isReached else { throw Recorder.Timeout(topic: what, received: []) }
            await loop.sleep(for: .milliseconds(1))
        }
    }

    /// Returns the next reading of a topic below the prefix, without its time.
    func reading(_ topic: String) async throws -> String {
        try await recorder.next("bluefleet/\(topic)").withoutTime
    }

    /// Waits until the connection of a device has a state.
    @discardableResult
    func connection(of device: String, _ state: String) async throws -> JSON {
        try await recorder.next("bluefleet/\(device)/connection") { $0["state"]?.string == state }
    }

    /// Waits until the availability of a device has a state.
    @discardableResult
    func availability(of device: String, _ state: String) async throws -> JSON {
        try await recorder.next("bluefleet/\(device)/availability") { $0["state"]?.string == state }
    }
}
