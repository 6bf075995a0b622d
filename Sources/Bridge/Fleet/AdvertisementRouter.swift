import BlueZ
import Bluetooth
import Codec
import Configuration
import Devices
import EventLoop
import System

/// Passes advertisements to the devices that read them, and stores what the next start needs: the quantities that the
/// devices advertise, the times of their advertisements, and the unavailable devices that are connected periodically.
final class AdvertisementRouter: LoopPart {
    /// The interval at which the times of the advertisements are stored, if they must be.
    private static let memoryInterval = Duration.seconds(60)

    let loop: EventLoop
    private let bluetooth: BluetoothLink
    private let fleet: Fleet
    /// The devices whose advertisements are read.
    private var listeners: [Address: Device] = [:]
    /// The addresses that are observed, and the scan that observes them.
    private var observed: (addresses: Set<Address>, observation: ScanObservation?) = ([], nil)
    private var quantities: QuantitiesStore
    private var advertisers: AdvertiserStore
    private var timer: Timer?
    private var memoryTimer: Timer?
    private var silenceTimer: Timer?
    private var quantitiesStored: () -> Void = {}
    /// Receives the signal strength of each advertisement in dBm, and the name of the device; nil: no part needs it.
    private var noteSignal: ((_ device: String, _ rssi: Int?) -> Void)?
    private var isStopping = false

    init(fleet: Fleet, bluetooth: BluetoothLink, stateFolder: String, host: HostMonitor, loop: EventLoop) {
        self.fleet = fleet
        self.bluetooth = bluetooth
        self.loop = loop
        quantities = QuantitiesStore(in: stateFolder, observer: host.stateObserver)
        advertisers = AdvertiserStore(in: stateFolder, observer: host.stateObserver)
    }

    /// Calls `body` after new quantities were stored.
    func onQuantitiesStored(_ body: @escaping () -> Void) {
        quantitiesStored = body
    }

    /// Calls `body` with the signal strength of each advertisement in dBm.
    func onSignal(_ body: @escaping (_ device: String, _ rssi: Int?) -> Void) {
        noteSignal = body
    }

    func stop() {
        isStopping = true
        timer?.cancel()
        memoryTimer?.cancel()
        silenceTimer?.cancel()
        storeMemories(isLast: true)
    }

    /// Returns the quantities that a device has advertised in this run and in earlier runs.
    func quantities(of address: Address) -> [AdvertisedQuantity] { quantities[address] }

    /// Returns what an earlier run of the program knew about the times of a device's advertisements; nil: nothing.
    func memory(of address: Address) -> AdvertiserMemory? {
        advertisers.memory(of: address, at: loop.now, loop.timestamp)
    }

    /// Scans for the devices of the fleet whose advertisements are read, or whose signal strength decides which gateway owns
    /// them; does not scan if there are no such devices.
    func update() {
        let devices = fleet.devices.values.filter { device in
            device.configuration.listensToAdvertisements || device.enter { $0.isShared }
        }
        listeners = Dictionary(devices.map { ($0.configuration.address, $0) }) { first, _ in first }
        let addresses = Set(listeners.keys)
        if memoryTimer == nil, !addresses.isEmpty, !isStopping { scheduleMemories() }
        guard addresses != observed.addresses else { return }
        let old = observed.observation
        observed = (addresses, addresses.isEmpty ? nil : observe(addresses))
        // The old observation ends after the new one has begun, so that the scan continues.
        if let old { bluetooth.stopObserving(old) }
    }

    private func observe(_ addresses: Set<Address>) -> ScanObservation {
        var filter = ScanFilter()
        filter.addresses = addresses
        return bluetooth.observe(filter, handler { $0.route($1) })
    }

    private func route(_ sighting: Sighting) {
        guard let device = listeners[sighting.address] else { return }
        noteSignal?(device.name, sighting.advertisement.rssi)
        device.enter { $0.received(sighting) }
    }

    // MARK: Times of advertisements

    private func scheduleMemories() {
        memoryTimer = after(Self.memoryInterval) { router in
            router.storeMemories()
            if router.quantities.isFailing { router.storeQuantities() }
            router.scheduleMemories()
        }
    }

    /// Schedules the storage of the times: after a crash, a device that has fallen silent must not be available again.
    func availabilityChanged() {
        guard silenceTimer == nil, !isStopping else { return }
        silenceTimer = after(fleet.gatheringTime) { router in
            router.silenceTimer = nil
            router.storeMemories()
        }
    }

    private func storeMemories(isLast: Bool = false) {
        let now = loop.now
        let memories = fleet.devices.values.compactMap { device in
            device.enter { $0.memory(at: now) }.map { (device.configuration.address, $0) }
        }
        advertisers.save(Dictionary(memories) { first, _ in first }, at: now, loop.timestamp, isLast: isLast)
    }

    // MARK: Quantities

    /// Schedules the storage of the advertised quantities of all devices.
    func quantitiesChanged() {
        guard timer == nil, !isStopping else { return }
        timer = after(fleet.gatheringTime) { $0.storeQuantities() }
    }

    private func storeQuantities() {
        timer = nil
        let known = fleet.devices.values.map { device in
            (device.configuration.address, device.enter { $0.advertised.quantities })
        }
        quantities.save(Dictionary(known) { first, _ in first })
        quantitiesStored()
    }
}
