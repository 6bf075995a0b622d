import BlueZ
import Bluetooth
import EventLoop

/// The gateway's view of Bluetooth: what the parts of the gateway ask the central for at once, without waiting.
final class BluetoothLink {
    let central: Central
    /// The reason for the state of Bluetooth; nil before its first report.
    private(set) var reason: String?
    private let firstReport = Mailbox<Void>()

    init(_ central: Central) {
        self.central = central
    }

    /// Notes the reason for a new state; returns whether it is the first one.
    func changed(because reason: String) -> Bool {
        defer { self.reason = reason }
        guard self.reason == nil else { return false }
        firstReport.put(())
        return true
    }

    /// Waits for the first report of the state of Bluetooth, up to a limit; can be called once.
    func waitForState(atMost limit: Duration, on loop: EventLoop) async {
        let timer = loop.schedule(after: limit) { [firstReport] in firstReport.put(()) }
        _ = await firstReport.next()
        timer.cancel()
    }

    var state: ManagerState { now { $0.state } }
    var adapters: [Adapter] { now { $0.availableAdapters } }
    var connectionUse: [ConnectionUse] { now { $0.connectionUse } }
    func radioUse(of adapter: Adapter) -> RadioUse { now { $0.radioUse(of: adapter) } }
    var knownPeripherals: [KnownPeripheral] { now { $0.knownPeripherals } }
    /// The number of connections that ended when bluetoothd, or the bus, was last lost.
    var lostConnectionCount: Int { now { $0.lostConnectionCount } }

    /// Calls `handler` with each advertisement that matches the filter.
    func observe(
        _ filter: ScanFilter = ScanFilter(), _ handler: @escaping @Sendable (Sighting) -> Void
    ) -> ScanObservation {
        now { $0.observe(filter, handler) }
    }

    func stopObserving(_ observation: ScanObservation) {
        now { $0.stopObserving(observation) }
    }

    /// Sends an advertisement in place of an earlier one with this name; nil: no longer sends it.
    func advertise(_ advertisement: OutgoingAdvertisement?, as name: String) {
        now { $0.advertise(advertisement, as: name) }
    }

    /// Calls `handler` with the name and the new state of an advertisement that is sent.
    func onAdvertisingChange(_ handler: @escaping @Sendable (String, AdvertisingState) -> Void) {
        now { $0.onAdvertisingChange(handler) }
    }

    /// Makes the central forget a peripheral.
    func forget(_ address: Address) {
        now { $0.forget(address) }
    }

    /// Calls `body` on the central at once: the gateway and the central share one thread.
    private func now<Result: Sendable>(_ body: (isolated Central) -> Result) -> Result {
        central.assumeIsolated(body)
    }
}
