internal import Bluetooth
internal import DBus
internal import EventLoop

/// Listening to whatever is on the air.
extension Central {
    /// Scans, and calls `handler`, on the loop, with each packet of a device that `filter` admits, until
    /// `stopObserving`.
    ///
    /// What bluetoothd remembers of devices that are silent now is no sighting.
    ///
    /// - Parameter eachPacket: whether packets that say nothing new count as well; a filter by strength needs them anyway.
    package func observe(
        _ filter: ScanFilter = ScanFilter(), eachPacket: Bool = true,
        _ handler: @escaping @Sendable (Sighting) -> Void
    ) -> ScanObservation {
        observationCount += 1
        let observation = ScanObservation(number: observationCount)
        observers[observation] = ScanObserver(
            filter: filter, needsEachPacket: eachPacket || filter.minimumRSSI != nil, handler: handler)
        // bluetoothd announces a device once: those that it has heard before must be asked for.
        retrieveSoon()
        scanSoon()
        return observation
    }

    package func stopObserving(_ observation: ScanObservation) {
        observers[observation] = nil
        heardDevices.removeAll { !isObserved($1.address) }
        scanSoon()
    }

    /// bluetoothd has an object for a device.
    func noticed(_ properties: [String: Variant], at path: String) {
        guard var device = HeardDevice(properties, at: path) else { return }
        device.address = knownAddress(device.address, at: path)
        guard isObserved(device.address) else { return }
        // The strength is there only while the device is being heard.
        let sighting = properties["RSSI"] != nil ? device.sighting(properties) : nil
        heardDevices[path] = device
        if let sighting { tell(sighting) }
    }

    /// Properties of a device have changed.
    func heard(_ changed: [String: Variant], at path: String) {
        if let sighting = heardDevices[path]?.sighting(changed) { tell(sighting) }
    }

    private func tell(_ sighting: Sighting) {
        for observer in observers.values where observer.filter.admits(sighting) { observer.handler(sighting) }
    }

    /// Whether anybody might want to know of a device.
    private func isObserved(_ address: Address) -> Bool {
        observers.values.contains { $0.filter.addresses?.contains(address) ?? true }
    }
}
