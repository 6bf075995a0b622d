package import Bluetooth
import DBus
import EventLoop

/// The state of a running simulation: the peripherals, the machines with their adapters, and methods that change them.
///
/// The parameter `name` is the name of a peripheral, an adapter or a host in the fleet file, or an address. The name of an
/// adapter is e.g. `hci0`, and `attic/hci0` if the file has `hosts`.
/// All methods with this parameter throw `SceneError` if the name is unknown.
package final class Scene {
    let fleet: SimulatedFleet
    let air: Air
    let machines: [Machine]

    /// Creates the state at the start.
    ///
    /// - Parameters:
    ///   - fleet: The fleet to simulate.
    ///   - buses: The addresses of the buses, one for each machine of the fleet.
    ///   - loop: The event loop.
    init(_ fleet: SimulatedFleet, on buses: [String], loop: EventLoop) {
        precondition(
            buses.count == fleet.machines.count, "\(fleet.machines.count) machines and \(buses.count) buses")
        self.fleet = fleet
        let air = Air(fleet, loop: loop)
        self.air = air
        machines = zip(fleet.machines, buses).map { Machine($0, of: fleet, on: $1, in: air) }
    }

    private func peripheral(_ name: String) throws(SceneError) -> Peripheral {
        guard let peripheral = air.peripheral(name) else { throw .unknownPeripheral(name) }
        return peripheral
    }

    private func adapter(_ name: String) throws(SceneError) -> AdapterObject {
        guard let adapter = machines.lazy.compactMap({ $0.host?.adapter(name) }).first else {
            throw .unknownAdapter(name)
        }
        return adapter
    }

    private func characteristic(_ uuid: UUID, of peripheral: Peripheral) throws(SceneError) -> PeripheralCharacteristic
    {
        guard let characteristic = peripheral.characteristic(uuid) else {
            throw .unknownCharacteristic(uuid, of: peripheral.model.name)
        }
        return characteristic
    }

    // MARK: Peripherals

    /// The names of all peripherals.
    package var peripherals: [String] { air.peripherals.map(\.model.name) }

    /// Returns whether the peripheral is connected to an adapter.
    package func isConnected(_ name: String) throws(SceneError) -> Bool {
        try peripheral(name).link != nil
    }

    /// Returns whether a request waits for the peripheral's response.
    package func isBusy(_ name: String) throws(SceneError) -> Bool {
        try peripheral(name).link?.isBusy ?? false
    }

    /// Ends the connection from the peripheral's side.
    package func dropLink(of name: String) throws(SceneError) {
        try peripheral(name).drop()
    }

    /// Changes the peripheral's private address.
    package func changeAddress(of name: String) throws(SceneError) {
        try peripheral(name).changeAddress()
    }

    /// Starts or stops the peripheral's advertising.
    package func switchAdvertising(of name: String, on: Bool) throws(SceneError) {
        try peripheral(name).switchAdvertising(on: on)
    }

    /// Sets the signal strength at which an adapter receives the peripheral, in dBm.
    package func setStrength(_ rssi: Int16, of name: String, at adapter: String) throws(SceneError) {
        try peripheral(name).setStrength(rssi, at: adapter)
    }

    /// Returns whether a client receives the characteristic's values through a file descriptor (AcquireNotify).
    package func isAcquired(_ uuid: UUID, of name: String) throws(SceneError) -> Bool {
        let peripheral = try peripheral(name)
        let characteristic = try characteristic(uuid, of: peripheral)
        return peripheral.link?.isAcquired(characteristic) ?? false
    }

    /// Sets the characteristic's value without a notification.
    package func store(_ value: [UInt8], in uuid: UUID, of name: String) throws(SceneError) {
        let peripheral = try peripheral(name)
        try characteristic(uuid, of: peripheral).store(value)
    }

    /// Sets the characteristic's value and notifies subscribers.
    package func notify(_ value: [UInt8], from uuid: UUID, of name: String) throws(SceneError) {
        let peripheral = try peripheral(name)
        let characteristic = try characteristic(uuid, of: peripheral)
        characteristic.store(value)
        peripheral.notify(characteristic, value)
    }

    /// Moves the peripheral's attributes to other handles and sends Service Changed, as after a firmware update.
    package func changeAttributes(of name: String) throws(SceneError) {
        try peripheral(name).changeAttributes()
    }

    /// Deletes the bonds on the peripheral's side, as after a reset.
    package func forgetBonds(of name: String) throws(SceneError) {
        try peripheral(name).forgetBonds()
    }

    /// Makes the next `times` calls of Connect fail with this error; with 0, no call fails.
    package func failConnects(
        of name: String, times: Int, error: String, message: String
    ) throws(SceneError) {
        try peripheral(name).failConnects(times, with: DBusError(error, message))
    }

    /// Returns the events of the peripheral, the oldest first.
    package func events(of name: String) throws(SceneError) -> [PeripheralEvent] {
        try peripheral(name).events
    }

    /// Deletes the recorded events of the peripheral.
    package func forgetEvents(of name: String) throws(SceneError) {
        try peripheral(name).forgetEvents()
    }

    /// Removes the interface `Battery1` of the peripheral's device, and nothing else.
    package func hideBattery(of name: String) throws(SceneError) {
        let address = try peripheral(name).address
        for adapter in machines.compactMap(\.host).flatMap(\.adapters) {
            adapter.device(address)?.attributes.hideBattery()
        }
    }

    // MARK: Faults

    /// Plans a fault of a peripheral or an adapter.
    package func plan(_ rule: Fault.Rule, for name: String) throws(SceneError) {
        if let peripheral = air.peripheral(name) { return peripheral.faults.plan(rule) }
        try adapter(name).faults.plan(rule)
    }

    /// Cancels a planned fault.
    package func cancel(_ fault: Fault, of name: String) throws(SceneError) {
        if let peripheral = air.peripheral(name) { return peripheral.faults.cancel(fault) }
        try adapter(name).faults.cancel(fault)
    }

    // MARK: Adapters

    /// Switches the adapter on or off, as another program on the gateway may do.
    package func switchPower(of name: String, on: Bool) throws(SceneError) {
        try adapter(name).switchPower(on: on)
    }

    /// Unplugs the adapter.
    package func remove(_ name: String) throws(SceneError) {
        let adapter = try adapter(name)
        machine(of: adapter.model)?.remove(adapter)
    }

    /// Plugs an adapter of the fleet in, under a name that may differ from its earlier name.
    ///
    /// - Parameters:
    ///   - name: The adapter's name in the fleet file, or its address.
    ///   - newName: The name from now on, e.g. `hci1`.
    /// - Throws: `SceneError`: `unknownAdapter`; `invalidAdapterName`; `adapterExists` if the name or the adapter is in
    ///   use.
    package func add(_ name: String, as newName: String) throws(SceneError) {
        guard var model = fleet.adapters.first(where: { $0.fullName == name || $0.address.description == name }) else {
            throw .unknownAdapter(name)
        }
        guard SimulatedFleet.Adapter.isName(newName) else { throw .invalidAdapterName(newName) }
        model.name = newName
        guard machine(of: model)?.add(model) == true else { throw .adapterExists(newName) }
    }

    private func machine(of adapter: SimulatedFleet.Adapter) -> Machine? {
        machines.first { $0.model.name == adapter.host }
    }

    // MARK: Hosts

    /// The names of all hosts; empty if the fleet file has no `hosts`.
    package var hosts: [String] { machines.compactMap(\.model.name) }

    func machine(_ name: String) throws(SceneError) -> Machine {
        guard let machine = machines.first(where: { $0.model.name == name }) else { throw .unknownHost(name) }
        return machine
    }

    /// Moves a peripheral or a host; all signal strengths that follow from the position change.
    ///
    /// - Parameters:
    ///   - name: The name of the peripheral or of the host.
    ///   - x: The first coordinate, in metres.
    ///   - y: The second coordinate, in metres.
    /// - Throws: `SceneError`: `unknownObject`; `invalidPosition` if a coordinate is not from -10,000 to 10,000.
    package func move(_ name: String, toX x: Double, y: Double) throws(SceneError) {
        let range = SimulatedFleet.Point.range
        guard range.contains(x), range.contains(y) else { throw .invalidPosition(name) }
        let position = SimulatedFleet.Point(x: x, y: y)
        if let peripheral = air.peripheral(name) {
            peripheral.move(to: position)
        } else if hosts.contains(name) {
            air.move(host: name, to: position)
        } else {
            throw .unknownObject(name)
        }
    }
}
