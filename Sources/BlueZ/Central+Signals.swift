internal import Bluetooth
internal import DBus
internal import EventLoop

/// What bluetoothd tells, taken apart and handed to whom it concerns.
extension Central {
    func received(_ message: Message) {
        // Any program may send us a signal, in anybody's words.
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
            peripheral.assumeIsolated { $0.emit(.disconnectExplained(LinkEnd.explanation(of: texts[0], texts[1]))) }
        }
    }

    private func busChanged(_ message: Message) {
        guard message.isSignal("NameOwnerChanged", on: "org.freedesktop.DBus") else { return }
        let names = message.arguments.compactMap(\.text)
        guard names.count == 3, names[0] == BlueZName.service else { return }
        if !names[1].isEmpty { serviceVanished("bluetoothd has stopped") }
        if !names[2].isEmpty {
            serviceOwner = names[2]
            Task(executorPreference: loop.tasks) { await self.serviceAppeared() }
        }
    }

    private func propertiesChanged(_ message: Message) {
        message.withPath { path in
            let adapter = path.length(ofLevels: 3)
            guard adapter < path.count else { return adapterChanged(message) }
            let device = path.length(ofLevels: 1, from: adapter)
            if device < path.count {
                guard let peripheral = peripheralsByPath[path.extracting(..<device)] else { return }
                peripheral.isolated(message, path) { $0.attributeChanged($1, at: $2) }
            } else {
                // Most signals of a busy neighbourhood are of devices that nobody asked for: they end here, unread.
                watchdogHeard(path.extracting(..<adapter))
                let hash = PathHash.of(path)
                if let peripheral = peripheralsByPath[path, hash] {
                    deviceChanged(message, peripheral)
                } else if heardDevices[path, hash] != nil || tellsAddress(message) {
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
            if let address = changed["Address"]?.text { addressChanged(to: address, at: path) }
            heard(changed, at: path)
            peripheral?.assumeIsolated { $0.update(changed, at: path) }
        case BlueZName.battery: peripheral?.assumeIsolated { $0.batteryChanged(changed) }
        default: break
        }
    }

    private func adapterChanged(_ message: Message) {
        let (path, arguments) = (message.path, message.arguments)
        guard adapters[path] != nil, arguments.first?.text == BlueZName.adapter,
            let changed = arguments.dropFirst().first?.dictionary
        else { return }
        adapterChanged(at: path, changed)
    }

    /// The peripheral to which an object below a device belongs.
    func owner(of path: String) -> Peripheral? {
        let path = path.utf8.span
        let length = path.length(ofLevels: 4)
        return length < path.count ? peripheralsByPath[path.extracting(..<length)] : nil
    }

    func interfacesAdded(at path: String, _ interfaces: [String: Variant]) {
        if let properties = interfaces[BlueZName.adapter]?.dictionary {
            adapterAdded(at: path, properties)
        } else if let properties = interfaces[BlueZName.device]?.dictionary {
            let bytes = path.utf8.span
            watchdogHeard(bytes.extracting(..<bytes.length(ofLevels: 3)))
            noticed(properties, at: path)
            deviceAdded(at: path, properties)
        } else if let peripheral = owner(of: path), interfaces.keys.contains(where: BlueZName.attributes.contains) {
            peripheral.assumeIsolated { $0.attributeAdded(interfaces, at: path) }
        }
        if let battery = interfaces[BlueZName.battery]?.dictionary, let peripheral = peripheralsByPath[path] {
            peripheral.assumeIsolated { $0.batteryChanged(battery) }
        }
    }

    private func adapterChanged(at path: String, _ changed: [String: Variant]) {
        if let isPowered = changed["Powered"]?.boolean { adapters[path]?.isPowered = isPowered }
        if changed["Powered"]?.boolean == false {
            scanEnded(on: path)
            giveUpAttempts(through: path)
        }
        if changed["Powered"] != nil, let adapter = adapters[path] { noticedPower(of: adapter) }
        noteObstacle(of: path, changed)
        adaptersChanged()
    }

    /// Takes note of what keeps an adapter off: the kernel tells more than bluetoothd, which does so since 5.73, but not in
    /// each container.
    private func noteObstacle(of path: String, _ properties: [String: Variant]) {
        guard var adapter = adapters[path] else { return }
        adapter.obstacle = nil
        if !adapter.isPowered {
            let block = RadioSwitch.all(in: radioSwitches).first { $0.radio == adapter.name }?.block
            let word = properties["PowerState"]?.text == "off-blocked" ? RadioSwitch.Block.soft : nil
            adapter.obstacle = (block ?? word)?.description
        }
        adapters[path] = adapter
    }

    private func adapterAdded(at path: String, _ properties: [String: Variant]) {
        guard let address = properties["Address"]?.text.flatMap({ Address($0) }), isAllowed(address),
            adapters[path] == nil
        else { return }
        // Roles is there since 5.55; before, every adapter was a central.
        let roles = properties["Roles"]?.texts ?? ["central"]
        adapters[path] = Adapter(
            address: address, isCentral: roles.contains("central"),
            isPowered: properties["Powered"]?.boolean ?? false, path: path,
            bluetoothd: properties["Modalias"]?.text.flatMap { BluetoothdVersion(modalias: $0) })
        noteObstacle(of: path, properties)
        if let adapter = adapters[path] { noticedPower(of: adapter) }
        openLinks(of: path)
        adaptersChanged()
    }

    func deviceAdded(at path: String, _ properties: [String: Variant]) {
        guard let address = properties["Address"]?.text.flatMap({ Address($0) }) else { return }
        endIfAbandoned(address, at: path, properties)
        guard let peripheral = peripheral(knownAs: address, at: path), let connection,
            let adapter = properties["Adapter"]?.text.flatMap({ adapters[$0] })
        else { return }
        peripheralsByPath[path] = peripheral
        peripheral.assumeIsolated { peripheral in
            peripheral.appeared(at: path, of: adapter, connection)
            peripheral.update(properties, at: path, isSnapshot: true)
        }
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
        guard adapters.removeValue(forKey: path) != nil else { return }
        closeLinks(of: path)
        scanEnded(on: path)
        scanWatches[path] = nil
        // The signals for what was below it may be missing.
        for device in peripheralsByPath.paths where device.hasPrefix(path + "/") {
            deviceRemoved(at: device)
        }
        for peripheral in peripherals.values { peripheral.assumeIsolated { $0.adapterGone(path) } }
        adaptersChanged()
    }

    private func deviceRemoved(at path: String) {
        heardDevices[path] = nil
        guard let peripheral = peripheralsByPath.removeValue(forPath: path) else { return }
        peripheral.assumeIsolated { $0.disappeared(from: path) }
    }
}
