package import Bluetooth
import EventLoop

/// Access to the peripherals in use.
extension Central {
    /// Returns the peripheral with an address, even if it has not been seen; the same object until `forget`.
    package func peripheral(at address: Address) -> Peripheral {
        if let peripheral = registry[address] { return peripheral }
        let peripheral = Peripheral(address: address, notifications: notifications, loop: loop)
        registry.add(peripheral)
        let open = bluetoothd.openAdapters
        peripheral.assumeIsolated { peripheral in
            peripheral.adaptersChanged(open)
            peripheral.onOtherRoute { [weak self] adapter in
                self?.assumeIsolated { $0.connector.alsoSeen(address, by: adapter) }
            }
            peripheral.onConnectionChange { [weak self] isConnected, adapter in
                self?.assumeIsolated { central in
                    central.registry.reportChange()
                    central.connector.connectionChanged(of: address, isConnected: isConnected, at: adapter)
                }
            }
        }
        retrieveSoon()
        return peripheral
    }

    /// Calls `handler` on the loop whenever a peripheral connects, disconnects or gets an identity address:
    /// `knownPeripherals` then has changed.
    package func onLinkChange(_ handler: @escaping @Sendable () -> Void) {
        registry.onChange(handler)
    }

    /// Returns the peripheral in use to which an address and an object path of bluetoothd belong; nil: the device is
    /// not in use.
    ///
    /// The address may be the identity address of the peripheral.
    func peripheral(knownAs address: Address, at path: String) -> Peripheral? {
        if let peripheral = registry.peripheral(known: address) { return peripheral }
        guard let peripheral = registry.peripheral(ofPath: path, otherThan: address) else { return nil }
        setIdentity(address, of: peripheral)
        return peripheral
    }

    /// Sets the identity address of a peripheral.
    func setIdentity(_ identity: Address, of peripheral: Peripheral) {
        guard registry.setIdentity(identity, of: peripheral.address) else { return }
        peripheral.assumeIsolated { $0.identified(as: identity) }
        registry.reportChange()
    }
}
