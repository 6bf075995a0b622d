import Bluetooth

/// A subscription to advertisements; see `Central.observe`.
package struct ScanObservation: Hashable, Sendable {
    fileprivate let number: Int
}

/// The observers of advertisements, and the devices whose addresses their filters admit.
final class ScanObservers {
    private struct Observer {
        let filter: ScanFilter
        /// Whether the observer also needs advertisements without new content.
        let needsEachPacket: Bool
        let handler: @Sendable (Sighting) -> Void
    }

    private var observers: [ScanObservation: Observer] = [:]
    private var count = 0
    /// bluetoothd's devices whose address the filter of an observer admits, by object path.
    private var devices = PathTable<SeenDevice>()

    var isEmpty: Bool { observers.isEmpty }
    var needEachPacket: Bool { observers.values.contains(where: \.needsEachPacket) }

    /// Adds an observer.
    ///
    /// - Parameters:
    ///   - filter: The advertisements to report.
    ///   - eachPacket: Whether to report advertisements without new content; a filter by signal strength always reports
    ///     them.
    ///   - handler: Called with each advertisement that the filter admits.
    /// - Returns: The identifier to pass to `remove`.
    func add(
        _ filter: ScanFilter, eachPacket: Bool, _ handler: @escaping @Sendable (Sighting) -> Void
    ) -> ScanObservation {
        count += 1
        let observation = ScanObservation(number: count)
        observers[observation] = Observer(
            filter: filter, needsEachPacket: eachPacket || filter.minimumRSSI != nil, handler: handler)
        return observation
    }

    func remove(_ observation: ScanObservation) {
        observers[observation] = nil
        devices.removeAll { !isObserved($1.address) }
    }

    func removeAll() {
        observers = [:]
    }

    // MARK: Devices

    /// Returns whether `devices` contains the device at a path; `hash` is the hash of the path.
    func contains(_ path: Span<UInt8>, _ hash: UInt64) -> Bool {
        devices[path, hash] != nil
    }

    func contains(_ path: String) -> Bool {
        devices[path] != nil
    }

    /// Adds a device if the filter of an observer admits its address, and reports its advertisement.
    ///
    /// - Parameters:
    ///   - properties: The properties of the device.
    ///   - path: The path of the device's object.
    ///   - address: The address by which the program identifies the device.
    func deviceAdded(_ properties: DeviceProperties, at path: String, knownAs address: Address) {
        guard var device = SeenDevice(properties, at: path) else { return }
        device.setAddress(address)
        guard isObserved(address) else { return }
        // A signal strength is present only while bluetoothd receives the device.
        let sighting = properties.hasRSSI ? device.sighting(properties) : nil
        devices[path] = device
        if let sighting { report(sighting) }
    }

    func deviceChanged(_ changed: DeviceProperties, at path: String) {
        guard var device = devices[path] else { return }
        let sighting = device.sighting(changed)
        devices[path] = device
        if let sighting { report(sighting) }
    }

    func addressChanged(to address: Address, at path: String) {
        guard var device = devices[path] else { return }
        device.setAddress(address)
        devices[path] = device
    }

    func deviceRemoved(at path: String) {
        devices[path] = nil
    }

    /// Removes the devices of an adapter.
    func adapterRemoved(_ adapter: String) {
        devices.removeAll { path, _ in path.hasPrefix(adapter + "/") }
    }

    func removeDevices() {
        devices = PathTable()
    }

    private func report(_ sighting: Sighting) {
        for observer in observers.values where observer.filter.admits(sighting) { observer.handler(sighting) }
    }

    /// Returns whether the filter of an observer admits an address.
    private func isObserved(_ address: Address) -> Bool {
        observers.values.contains { $0.filter.addresses?.contains(address) ?? true }
    }
}
