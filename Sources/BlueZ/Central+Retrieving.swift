internal import DBus
internal import EventLoop

/// Peripherals that bluetoothd knew before anybody cared for them.
extension Central {
    /// Looks once for those that are new here among bluetoothd's objects; it will not announce them again.
    func retrieveSoon() {
        guard isServicePresent, !isRetrieving else { return }
        isRetrieving = true
        Task(executorPreference: loop.tasks) { await self.retrieve() }
    }

    func retrieve() async {
        isRetrieving = false
        guard let connection else { return }
        do throws(DBusError) {
            let objects = try await Peripheral.managedObjects(connection)
            takeIn(objects)
        } catch {
            // bluetoothd has gone; all that it has is taken in when it comes back.
        }
    }

    private func takeIn(_ objects: [String: Variant]) {
        for (path, interfaces) in objects {
            guard let properties = interfaces.dictionary?[BlueZName.device]?.dictionary else { continue }
            if heardDevices[path] == nil { noticed(properties, at: path) }
            if peripheralsByPath[path] == nil { deviceAdded(at: path, properties) }
            guard let battery = interfaces.dictionary?[BlueZName.battery]?.dictionary else { continue }
            peripheralsByPath[path]?.assumeIsolated { $0.batteryChanged(battery) }
        }
        for (path, interfaces) in objects {
            guard let interfaces = interfaces.dictionary, let peripheral = owner(of: path) else { continue }
            peripheral.assumeIsolated { $0.attributeKnown(interfaces, at: path) }
        }
    }
}
