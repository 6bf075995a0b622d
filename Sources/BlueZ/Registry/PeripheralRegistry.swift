import Bluetooth
import EventLoop

/// The peripherals in use, by address and by identity address.
///
/// A private address changes every few minutes and does not identify the device. With the keys of a bond, bluetoothd
/// recognizes the device. From then on, `Address` of the device's object is the identity address. The path of the
/// object stays the same until bluetoothd restarts (Core Specification, Vol 3, Part H, 2.4.2; BlueZ, src/device.c,
/// device_update_addr).
final class PeripheralRegistry {
    private var peripherals: [Address: Peripheral] = [:]
    /// The addresses of the peripherals that have an identity address, by identity address.
    private var identities: [Address: Address] = [:]
    /// The addresses of devices that may have a connection that an earlier run left behind and that is no longer
    /// needed.
    private(set) var abandoned: Set<Address> = []
    /// Called when a peripheral connects, disconnects or gets an identity address.
    private var changeHandler: (() -> Void)?

    var all: [Peripheral] { Array(peripherals.values) }

    subscript(address: Address) -> Peripheral? { peripherals[address] }

    func add(_ peripheral: Peripheral) {
        peripherals[peripheral.address] = peripheral
    }

    /// Removes a peripheral, but not its identity address.
    func remove(_ address: Address) {
        peripherals[address] = nil
    }

    /// Calls `handler` on the loop with each later call of `reportChange()`.
    func onChange(_ handler: @escaping () -> Void) {
        changeHandler = handler
    }

    /// Reports that a peripheral has connected, disconnected or received an identity address.
    func reportChange() {
        changeHandler?()
    }

    // MARK: Identities

    /// Sets the identity address of a peripheral.
    ///
    /// - Returns: Whether the identity address is new for the peripheral.
    func setIdentity(_ identity: Address, of address: Address) -> Bool {
        identities.updateValue(address, forKey: identity) != address
    }

    func removeIdentity(_ identity: Address) {
        identities[identity] = nil
    }

    /// Returns the peripheral with an address, which may be its identity address.
    func peripheral(known address: Address) -> Peripheral? {
        peripherals[address] ?? identities[address].flatMap { peripherals[$0] }
    }

    /// Returns the peripheral with the address in the path of a device's object, if this address differs from
    /// `address`.
    func peripheral(ofPath path: String, otherThan address: Address) -> Peripheral? {
        guard let first = Self.firstAddress(of: path), first != address else { return nil }
        return peripherals[first]
    }

    /// Returns the address in the path of a device's object: the address under which bluetoothd first saw the device.
    private static func firstAddress(of path: String) -> Address? {
        guard let name = path.split(separator: "/").last, name.hasPrefix("dev_") else { return nil }
        return Address(String(name.dropFirst(4).map { $0 == "_" ? ":" : $0 }))
    }

    // MARK: Abandoned peripherals

    func abandon(_ address: Address) {
        abandoned.insert(address)
    }

    /// Removes an address from `abandoned`.
    ///
    /// - Returns: Whether `abandoned` contained the address.
    func takeAbandoned(_ address: Address) -> Bool {
        abandoned.remove(address) != nil
    }

    /// Removes all addresses from `abandoned`: later connections belong to other programs.
    func forgetAbandoned() {
        abandoned = []
    }
}
