internal import Bluetooth
internal import DBus

/// Peripherals that have another address since they were paired with.
///
/// A private address changes every few minutes and says nothing. With the keys of a bond bluetoothd knows whose it is, and
/// from then on the device's `Address` is its identity address; the path of its object stays what it was until
/// bluetoothd's next start (Core Specification, Vol 3, Part H, 2.4.2; BlueZ, src/device.c, device_update_addr).
extension Central {
    /// The peripheral that bluetoothd means by an address, if somebody cares for it, by whichever of its addresses.
    func peripheral(knownAs address: Address, at path: String) -> Peripheral? {
        if let peripheral = peripherals[address] { return peripheral }
        if let peripheral = identities[address].flatMap({ peripherals[$0] }) { return peripheral }
        guard let first = Self.firstAddress(of: path), first != address, let peripheral = peripherals[first] else {
            return nil
        }
        learn(address, of: peripheral)
        return peripheral
    }

    /// The address by which a device is known here: the one that somebody cares for, if that is another one.
    func knownAddress(_ address: Address, at path: String) -> Address {
        peripheral(knownAs: address, at: path)?.address ?? address
    }

    /// The address of the device at `path` is another one now.
    func addressChanged(to text: String, at path: String) {
        guard let address = Address(text) else { return }
        heardDevices[path]?.address = knownAddress(address, at: path)
        if let peripheral = peripheralsByPath[path] {
            if peripheral.address != address { learn(address, of: peripheral) }
        } else {
            retrieveSoon()
        }
    }

    /// Whether a signal of a device that nobody has asked for may concern somebody all the same: another program has paired
    /// with it, and it is one of ours by its new address. The rest of the signal is not decoded.
    func tellsAddress(_ message: Message) -> Bool {
        guard isSeeking else { return false }
        var reader = message.reader
        guard reader.isText("org.bluez.Device1") else { return false }
        reader.skip()
        var entries = reader.enter()
        while !entries.isAtEnd {
            var entry = entries.enter()
            if entry.isText("Address") { return true }
        }
        return false
    }

    /// Takes note of the identity address of a peripheral.
    func learn(_ identity: Address, of peripheral: Peripheral) {
        guard identities.updateValue(peripheral.address, forKey: identity) != peripheral.address else { return }
        peripheral.assumeIsolated { $0.identified(as: identity) }
        linkHandler?()
    }

    /// The address in the path of a device's object: the one with which bluetoothd heard of it first.
    private static func firstAddress(of path: String) -> Address? {
        guard let name = path.split(separator: "/").last, name.hasPrefix("dev_") else { return nil }
        return Address(String(name.dropFirst(4).map { $0 == "_" ? ":" : $0 }))
    }
}

extension Peripheral {
    fileprivate func identified(as address: Address) {
        identity = address
        emit(.identified(address))
    }
}
