package import Bluetooth
import DBus
import EventLoop

/// What is played: the peripherals, the adapters and bluetoothd, with the strings to pull.
///
/// Peripherals and adapters are meant by the names that the fleet's file gives them, or by their addresses.
package final class Scene {
    let fleet: Fleet
    let air: Air
    let storage: Storage
    /// The adapters that are plugged in.
    private(set) var adapters: [Fleet.Adapter]
    /// The bluetoothd that runs; nil between its end and its next start.
    var host: Host?

    init(_ fleet: Fleet, loop: EventLoop) {
        self.fleet = fleet
        air = Air(fleet, loop: loop)
        storage = Storage(fleet)
        adapters = fleet.adapters
    }

    private func peripheral(_ name: String) throws(SceneError) -> Peripheral {
        guard let peripheral = air.peripheral(name) else { throw .unknownPeripheral(name) }
        return peripheral
    }

    private func adapter(_ name: String) throws(SceneError) -> AdapterObject {
        guard let adapter = host?.adapter(name) else { throw .unknownAdapter(name) }
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

    /// Whether the peripheral has a link to an adapter.
    package func isConnected(_ name: String) throws(SceneError) -> Bool {
        try peripheral(name).link != nil
    }

    /// Whether the peripheral has yet to answer a request.
    package func isBusy(_ name: String) throws(SceneError) -> Bool {
        try peripheral(name).link?.isBusy ?? false
    }

    /// The peripheral ends its link.
    package func dropLink(of name: String) throws(SceneError) {
        try peripheral(name).drop()
    }

    /// The peripheral takes another private address.
    package func changeAddress(of name: String) throws(SceneError) {
        try peripheral(name).changeAddress()
    }

    /// The peripheral falls silent, or is heard again.
    package func switchAdvertising(of name: String, on: Bool) throws(SceneError) {
        try peripheral(name).switchAdvertising(on: on)
    }

    /// An adapter receives the peripheral at this strength from now on, in dBm.
    package func setStrength(_ rssi: Int16, of name: String, at adapter: String) throws(SceneError) {
        try peripheral(name).strengths[adapter] = rssi
    }

    /// Whether a client gets the characteristic's values through a descriptor.
    package func isAcquired(_ uuid: UUID, of name: String) throws(SceneError) -> Bool {
        let peripheral = try peripheral(name)
        let characteristic = try characteristic(uuid, of: peripheral)
        return peripheral.link?.isAcquired(characteristic) ?? false
    }

    /// The characteristic has this value from now on.
    package func store(_ value: [UInt8], in uuid: UUID, of name: String) throws(SceneError) {
        let peripheral = try peripheral(name)
        try characteristic(uuid, of: peripheral).store(value)
    }

    /// The characteristic has this value from now on, and those who subscribe hear of it.
    package func notify(_ value: [UInt8], from uuid: UUID, of name: String) throws(SceneError) {
        let peripheral = try peripheral(name)
        let characteristic = try characteristic(uuid, of: peripheral)
        characteristic.store(value)
        peripheral.notify(characteristic, value)
    }

    /// The peripheral's attributes move, as after an update of its firmware: Service Changed.
    package func changeAttributes(of name: String) throws(SceneError) {
        try peripheral(name).changeAttributes()
    }

    /// The peripheral forgets the keys of its bonds, as after a change of its battery or a reset.
    package func forgetBonds(of name: String) throws(SceneError) {
        try peripheral(name).bonds = []
    }

    /// The next `times` calls of Connect fail with this error.
    package func failConnects(
        of name: String, times: Int, error: String, message: String
    ) throws(SceneError) {
        try peripheral(name).failConnects(times, with: DBusError(error, message))
    }

    /// What has happened to the peripheral, seen from its side, the oldest first.
    package func events(of name: String) throws(SceneError) -> [PeripheralEvent] {
        try peripheral(name).events
    }

    package func forgetEvents(of name: String) throws(SceneError) {
        try peripheral(name).forgetEvents()
    }

    // MARK: Faults

    /// From now on a fault happens to a peripheral or an adapter, each time or as often as the rule says.
    package func plan(_ rule: Fault.Rule, for name: String) throws(SceneError) {
        if let peripheral = air.peripheral(name) { return peripheral.faults.plan(rule) }
        try adapter(name).faults.plan(rule)
    }

    /// A fault does not happen any more.
    package func cancel(_ fault: Fault, of name: String) throws(SceneError) {
        if let peripheral = air.peripheral(name) { return peripheral.faults.cancel(fault) }
        try adapter(name).faults.cancel(fault)
    }

    // MARK: Adapters

    /// Somebody else switches the adapter.
    package func switchPower(of name: String, on: Bool) throws(SceneError) {
        try adapter(name).switchPower(on: on)
    }

    /// The adapter is pulled out.
    package func remove(_ name: String) throws(SceneError) {
        let adapter = try adapter(name)
        adapters.removeAll { $0.name == adapter.model.name }
        host?.remove(adapter)
    }

    /// An adapter of the fleet is plugged in, perhaps with another number than the last time.
    package func add(_ name: String, as newName: String) throws(SceneError) {
        guard var model = fleet.adapters.first(where: { $0.name == name || $0.address.description == name }) else {
            throw .unknownAdapter(name)
        }
        guard Fleet.Adapter.isName(newName) else { throw .badAdapterName(newName) }
        model.name = newName
        guard !adapters.contains(where: { $0.name == newName || $0.address == model.address }) else {
            throw .adapterIsThere(newName)
        }
        adapters.append(model)
        host?.add(model)
    }
}
