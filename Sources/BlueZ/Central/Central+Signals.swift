import Bluetooth
import DBus
import EventLoop

/// Decoding of bluetoothd's signals and calls, which are passed to the parts of the central.
extension Central {
    func received(_ message: Message) {
        // Any program on the bus can send signals, under any interface.
        guard let serviceOwner, message.isSent(by: serviceOwner) else {
            if message.isSent(by: Connection.bus) { busChanged(message) }
            return
        }
        if message.isSignal("PropertiesChanged", on: "org.freedesktop.DBus.Properties") {
            propertiesChanged(message)
        } else if message.isSignal("InterfacesAdded", on: "org.freedesktop.DBus.ObjectManager") {
            let arguments = message.arguments
            if let path = arguments.first?.text, let interfaces = arguments.dropFirst().first?.dictionary {
                interfacesAdded(at: path, interfaces)
            }
        } else if message.isSignal("InterfacesRemoved", on: "org.freedesktop.DBus.ObjectManager") {
            let arguments = message.arguments
            if let path = arguments.first?.text, let interfaces = arguments.dropFirst().first?.texts {
                interfacesRemoved(at: path, interfaces)
            }
        } else if message.isSignal("Disconnected", on: "org.bluez.Device1") {
            let texts = message.arguments.compactMap(\.text)
            guard texts.count == 2, let peripheral = peripheralsByPath[message.path] else { return }
            let reason = DisconnectReason(texts[0], texts[1])
            peripheral.assumeIsolated { $0.emit(.disconnectReason(reason)) }
        }
    }

    private func busChanged(_ message: Message) {
        guard message.isSignal("NameOwnerChanged", on: "org.freedesktop.DBus") else { return }
        let names = message.arguments.compactMap(\.text)
        guard names.count == 3, names[0] == BlueZName.service else { return }
        serviceOwnerChanged(from: names[1], to: names[2])
    }

    /// Handles a call from the bus, for example a question of bluetoothd about a pairing; returns whether the agent or an
    /// advertisement is called.
    func called(_ call: Message) -> Bool {
        if advertisementSender.handle(call) { return true }
        return bonds.handle(call) { path in
            peripheralsByPath[path]?.address
        } later: { [weak self] call, passkey in
            self?.assumeIsolated { $0.bonds.answer(call, with: passkey) }
        }
    }

    // MARK: Changed properties

    private func propertiesChanged(_ message: Message) {
        message.withPath { path in
            let adapter = path.length(ofLevels: 3)
            guard adapter < path.count else { return adapterChanged(message) }
            let device = path.length(ofLevels: 1, from: adapter)
            if device < path.count {
                guard let peripheral = peripheralsByPath[path.extracting(..<device)] else { return }
                peripheral.isolated(message, path) { $0.attributeChanged($1, at: $2) }
            } else {
                // With many devices nearby, most signals are of devices that are not in use: such signals are not
                // decoded.
                scanner.watches.seen(by: path.extracting(..<adapter))
                let hash = PathHash.of(path)
                if let peripheral = peripheralsByPath[path, hash] {
                    deviceChanged(message, peripheral)
                } else if scanner.observers.contains(path, hash) || announcesAddress(message) {
                    deviceChanged(message, nil)
                }
            }
        }
    }

    private func deviceChanged(_ message: Message, _ peripheral: Peripheral?) {
        let (path, arguments) = (message.path, message.arguments)
        guard let changed = arguments.dropFirst().first?.dictionary else { return }
        switch arguments.first?.text {
        case BlueZName.device:
            let properties = DeviceProperties(changed)
            if let address = properties.address { addressChanged(to: address, at: path) }
            scanner.observers.deviceChanged(properties, at: path)
            peripheral?.assumeIsolated { $0.update(properties, at: path) }
        case BlueZName.battery: peripheral?.assumeIsolated { $0.batteryChanged(changed) }
        default: break
        }
    }

    /// Returns whether a signal of a device that is not in use changes its address.
    ///
    /// Another program may have paired with the device, and the new address may be that of a peripheral in use. The
    /// rest of the signal is not decoded.
    private func announcesAddress(_ message: Message) -> Bool {
        guard scanner.isSearching else { return false }
        var reader = message.reader
        guard reader.isText(BlueZName.device) else { return false }
        reader.skip()
        var entries = reader.enter()
        while !entries.isAtEnd {
            var entry = entries.enter()
            if entry.isText("Address") { return true }
        }
        return false
    }

    /// Handles the new address of the device at `path`.
    private func addressChanged(to address: Address, at path: String) {
        if scanner.observers.contains(path) {
            let known = peripheral(knownAs: address, at: path)?.address ?? address
            scanner.observers.addressChanged(to: known, at: path)
        }
        if let peripheral = peripheralsByPath[path] {
            if peripheral.address != address { setIdentity(address, of: peripheral) }
        } else {
            retrieveSoon()
        }
    }

    private func adapterChanged(_ message: Message) {
        let (path, arguments) = (message.path, message.arguments)
        guard bluetoothd.adapters[path] != nil, let properties = arguments.dropFirst().first?.dictionary else { return }
        switch arguments.first?.text {
        case BlueZName.adapter: adapterChanged(AdapterProperties(properties), at: path)
        case BlueZName.advertisingManager: advertisementSender.managerChanged(properties, at: path)
        default: break
        }
    }

    private func adapterChanged(_ changed: AdapterProperties, at path: String) {
        let adapter = bluetoothd.changeAdapter(at: path, changed)
        if changed.isPowered == false {
            scanner.ended(on: path)
            connector.cancelAttempts(through: path)
            advertisementSender.adapterLost(path)
        }
        if changed.hasPower, let adapter { repairer.powerCycles.powerReported(of: adapter) }
        adaptersChanged()
    }

    // MARK: Objects

    /// Returns the peripheral to which an object below a device belongs.
    private func owner(of path: String) -> Peripheral? {
        let path = path.utf8.span
        let length = path.length(ofLevels: 4)
        return length < path.count ? peripheralsByPath[path.extracting(..<length)] : nil
    }

    func interfacesAdded(at path: String, _ interfaces: [String: Variant]) {
        if let properties = interfaces[BlueZName.adapter]?.dictionary {
            adapterAdded(at: path, AdapterProperties(properties))
        } else if let properties = interfaces[BlueZName.device]?.dictionary.map(DeviceProperties.init) {
            let bytes = path.utf8.span
            scanner.watches.seen(by: bytes.extracting(..<bytes.length(ofLevels: 3)))
            // Another program may use the other adapters, and have connections to the same devices.
            guard bluetoothd.adapter(of: properties) != nil else { return }
            observeDevice(at: path, properties)
            deviceAppeared(at: path, properties)
        } else if let peripheral = owner(of: path), interfaces.keys.contains(where: BlueZName.attributes.contains) {
            peripheral.assumeIsolated { $0.attributeAdded(interfaces, at: path) }
        }
        if let battery = interfaces[BlueZName.battery]?.dictionary, let peripheral = peripheralsByPath[path] {
            peripheral.assumeIsolated { $0.batteryChanged(battery) }
        }
    }

    private func observeDevice(at path: String, _ properties: DeviceProperties) {
        guard let address = properties.address else { return }
        let known = peripheral(knownAs: address, at: path)?.address ?? address
        scanner.observers.deviceAdded(properties, at: path, knownAs: known)
    }

    private func deviceAppeared(at path: String, _ properties: DeviceProperties) {
        guard let address = properties.address else { return }
        endIfAbandoned(address, at: path, properties)
        deviceAdded(at: path, properties, address)
    }

    /// Handles the list of all objects of bluetoothd.
    ///
    /// Devices that were handled before are skipped.
    func objectsRetrieved(_ objects: [String: Variant]) {
        for (path, interfaces) in objects {
            guard let properties = interfaces.dictionary?[BlueZName.device]?.dictionary.map(DeviceProperties.init),
                bluetoothd.adapter(of: properties) != nil
            else { continue }
            if !scanner.observers.contains(path) { observeDevice(at: path, properties) }
            if peripheralsByPath[path] == nil { deviceAppeared(at: path, properties) }
            guard let battery = interfaces.dictionary?[BlueZName.battery]?.dictionary else { continue }
            peripheralsByPath[path]?.assumeIsolated { $0.batteryChanged(battery) }
        }
        for (path, interfaces) in objects {
            guard let interfaces = interfaces.dictionary, let peripheral = owner(of: path) else { continue }
            peripheral.assumeIsolated { $0.attributeKnown(interfaces, at: path) }
        }
    }

    private func adapterAdded(at path: String, _ properties: AdapterProperties) {
        guard let adapter = bluetoothd.addAdapter(at: path, properties) else { return }
        repairer.powerCycles.powerReported(of: adapter)
        connector.slots.open(adapter)
        adaptersChanged()
    }

    private func interfacesRemoved(at path: String, _ interfaces: [String]) {
        if interfaces.contains(BlueZName.adapter) {
            adapterRemoved(at: path)
        } else if interfaces.contains(BlueZName.device) {
            deviceRemoved(at: path)
        } else if interfaces.contains(BlueZName.battery) {
            peripheralsByPath[path]?.assumeIsolated { $0.batteryRemoved() }
        } else if let peripheral = owner(of: path), interfaces.contains(where: BlueZName.attributes.contains) {
            peripheral.assumeIsolated { $0.attributeRemoved(at: path) }
        }
    }

    func adapterRemoved(at path: String) {
        guard bluetoothd.removeAdapter(at: path) else { return }
        connector.slots.close(path)
        scanner.ended(on: path)
        advertisementSender.adapterLost(path)
        scanner.watches.remove(path)
        scanner.observers.adapterRemoved(path)
        // There may be no signals for the removal of the adapter's devices.
        for device in peripheralsByPath.paths where device.hasPrefix(path + "/") {
            deviceRemoved(at: device)
        }
        for peripheral in registry.all { peripheral.assumeIsolated { $0.adapterRemoved(path) } }
        adaptersChanged()
    }
}
