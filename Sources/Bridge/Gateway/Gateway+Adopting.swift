internal import BlueZ
internal import Bluetooth
internal import Configuration
internal import EventLoop
internal import JSON
internal import Log

/// Devices that nobody listed and that a fleet rule wants.
extension Gateway {
    /// How long is listened for them without a break, at the start and when the rules have changed.
    private static let firstSearch = Duration.seconds(60)
    /// How long is listened for them afterwards, and how long not: a scan takes time from the links.
    private static let search = Duration.seconds(10)
    private static let searchPause = Duration.seconds(20)

    /// How long after it could not be kept an adoption is tried again.
    private static let retryPause = Duration.seconds(2)

    /// Listens for devices to adopt, now and then, as long as there are rules.
    func searchForFleet() {
        endSearch()
        guard !configuration.fleet.isEmpty else { return }
        listenForFleet(for: Self.firstSearch)
    }

    func endSearch() {
        searchTimer?.cancel()
        searchTimer = nil
        if let observation = fleetObservation { central.assumeIsolated { $0.stopObserving(observation) } }
        fleetObservation = nil
    }

    private func listenForFleet(for duration: Duration) {
        considerAnew()
        fleetObservation = observe { $0.consider($1) }
        searchTimer = loop.schedule(after: duration) { [weak self] in self?.assumeIsolated { $0.rest() } }
    }

    private func rest() {
        endSearch()
        searchTimer = loop.schedule(after: Self.searchPause) { [weak self] in
            self?.assumeIsolated { $0.listenForFleet(for: Self.search) }
        }
    }

    /// Looks once more at those that are heard and were not adopted.
    func considerAnew() {
        knownAddresses = Set(devices.values.map(\.configuration.address) + candidates.map(\.address))
    }

    /// Has a device adopted if a rule wants it, and it is not there yet.
    private func consider(_ sighting: Sighting) {
        let address = sighting.address
        guard !isFull, !knownAddresses.contains(address), !rosterStore.roster.removed.values.contains(address),
            configuration.fleet.device(of: sighting) != nil
        else { return }
        // Those that are heard together are adopted together.
        if candidates.isEmpty { change { gateway in await gateway.adopt() } }
        knownAddresses.insert(address)
        candidates.append(sighting)
    }

    /// Whether as many are adopted, or were looked at since the search began, as there may be: somebody may invent addresses.
    private var isFull: Bool {
        rosterStore.roster.adopted.count >= Roster.mostAdopted
            || knownAddresses.count >= devices.count + Roster.mostAdopted
    }

    private func adopt() async {
        var roster = rosterStore.roster
        let adopted = roster.adopt(candidates, in: configuration)
        candidates = []
        guard !adopted.isEmpty else { return }
        do throws(EventLoopError) {
            try rosterStore.save(roster)
        } catch {
            log.error("\(error): devices that were found are not adopted")
            // The disk may have room again.
            loop.schedule(after: Self.retryPause) { [weak self] in
                self?.assumeIsolated { $0.considerAnew() }
            }
            return
        }
        await settleDevices()
        for device in adopted {
            log.info("adopted \(device.name)", ["address": device.address])
            outlet?.announce(
                "device_adopted", device: device.name, ["address": .string("\(device.address)")], at: loop.timestamp)
        }
    }
}
