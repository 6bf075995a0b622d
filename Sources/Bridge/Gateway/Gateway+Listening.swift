internal import BlueZ
internal import Bluetooth
internal import Configuration
internal import EventLoop

/// The advertisements of the devices, for those that are to be read.
extension Gateway {
    /// Hears the devices whose advertisements are read, and nothing where there are none.
    func listenToDevices() {
        let listeners = devices.values.filter { $0.configuration.listensToAdvertisements }
        listening = Dictionary(listeners.map { ($0.configuration.address, $0) }) { first, _ in first }
        let addresses = Set(listening.keys)
        guard addresses != observed.addresses else { return }
        let old = observed.observation
        var filter = ScanFilter()
        filter.addresses = addresses
        let observation = addresses.isEmpty ? nil : observe(filter) { $0.heard($1) }
        observed = (addresses, observation)
        // After the new one has begun, so that the scan goes on.
        if let old { central.assumeIsolated { $0.stopObserving(old) } }
    }

    /// Calls `body` with each packet of the devices that the filter admits.
    func observe(
        _ filter: ScanFilter = ScanFilter(), _ body: @escaping @Sendable (isolated Gateway, Sighting) -> Void
    ) -> ScanObservation {
        central.assumeIsolated { central in
            central.observe(filter) { [weak self] sighting in self?.assumeIsolated { body($0, sighting) } }
        }
    }

    private func heard(_ sighting: Sighting) {
        listening[sighting.address]?.assumeIsolated { $0.heard(sighting) }
    }

    /// What advertisements were found to tell, for Home Assistant and for the next start.
    func quantitiesChanged() {
        guard quantitiesTimer == nil, !isStopping else { return }
        // Several devices are heard one after the other, and some say what they have to say in several packets.
        quantitiesTimer = loop.schedule(after: .seconds(1)) { [weak self] in
            self?.assumeIsolated { $0.keepQuantities() }
        }
    }

    private func keepQuantities() {
        quantitiesTimer = nil
        let known = devices.values.map { device in
            (device.configuration.address, device.assumeIsolated { $0.advertised.map(\.quantity) })
        }
        quantitiesStore.save(Dictionary(known) { first, _ in first })
        settleRetained()
    }
}
