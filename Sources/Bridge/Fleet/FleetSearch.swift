import BlueZ
import Bluetooth
import Configuration
import Contract
import Devices
import EventLoop
import JSON
import Log
import System

/// Scans for devices that no entry lists and that a fleet rule adopts.
final class FleetSearch: LoopPart {
    /// The duration of the first scan after the start or after a change of the rules.
    private static let firstScanTime = Duration.seconds(60)
    /// The duration of each later scan; it is short, because connections are slower during a scan.
    private static let scanTime = Duration.seconds(10)
    /// The pause between two scans.
    private static let pauseTime = Duration.seconds(20)

    /// The delay after an adoption that could not be stored; the devices are then examined again.
    private static let retryDelay = Duration.seconds(2)
    /// The time after the start during which no adopted device is replaced: each one can still be seen again.
    private static let probation = Duration.seconds(600)

    let loop: EventLoop
    private let bluetooth: BluetoothLink
    private let broker: BrokerLink
    private let fleet: Fleet
    private let log = Log("gateway")
    /// The scan that is under way.
    private var observation: ScanObservation?
    /// The timer that ends the present scan or starts the next one.
    private var timer: Timer?
    /// The advertisements of devices that are about to be adopted.
    private var candidates: [Sighting] = []
    /// The addresses that a scan ignores: those of managed devices and of devices that are about to be adopted.
    private var examined: Set<Address> = []
    private var newcomers = Newcomers()
    private var rate = RateLimit.adoptions
    /// Whether the maximum number of adopted devices is reached and was reported.
    private var isFull = false
    private let startTime: Instant
    private var permission: AdoptionPermission

    init(fleet: Fleet, bluetooth: BluetoothLink, broker: BrokerLink, loop: EventLoop) {
        self.fleet = fleet
        self.bluetooth = bluetooth
        self.broker = broker
        self.loop = loop
        startTime = loop.now
        permission = AdoptionPermission(at: loop.now)
    }

    // MARK: The scan

    /// Starts the search from the beginning, if there are fleet rules; rules with `permit` adopt devices again.
    func start() {
        permission.open(at: loop.now)
        restart()
    }

    /// Makes the rules with `permit` adopt devices for a time; zero: they adopt none.
    ///
    /// - Returns: The end of the time, in the form of the response.
    /// - Throws: `RequestError` if no rule has the key `permit`.
    func permit(for duration: Duration) throws(RequestError) -> JSON {
        guard fleet.configuration.fleet.contains(where: { $0.permit != nil }) else {
            throw RequestError(
                .notSupported, "no rule of the section fleet has the key permit: add it, such as permit: 10m")
        }
        permission.set(to: duration, at: loop.now)
        log.info(
            duration > .zero
                ? "fleet rules adopt new devices for \(duration.text)" : "fleet rules adopt no new devices")
        if duration > .zero { restart() }
        let end = loop.timestamp.milliseconds + duration.nanoseconds / 1_000_000
        return ResponseData.permit(until: Timestamp(milliseconds: end)).json
    }

    private func restart() {
        stop()
        guard !fleet.configuration.fleet.isEmpty else { return }
        scan(for: Self.firstScanTime)
    }

    func stop() {
        timer?.cancel()
        timer = nil
        if let observation { bluetooth.stopObserving(observation) }
        observation = nil
    }

    private func scan(for duration: Duration) {
        examineAgain()
        observation = bluetooth.observe(ScanFilter(), handler { $0.examine($1) })
        timer = after(duration) { $0.pause() }
    }

    private func pause() {
        stop()
        timer = after(Self.pauseTime) { $0.scan(for: Self.scanTime) }
    }

    // MARK: Adoption

    /// Makes the scan examine again the devices that were seen but not adopted.
    func examineAgain() {
        let addresses = fleet.devices.values.map(\.configuration.address)
        examined = Set(addresses + candidates.map(\.address))
    }

    /// Queues the adoption of a seen device if the device is new, a fleet rule matches it, and it was seen before.
    private func examine(_ sighting: Sighting) {
        let address = sighting.address
        guard !examined.contains(address) else { return }
        // A later advertisement may have less content than the first one.
        guard let first = newcomers.proven(address, at: loop.now) else {
            if mayAdopt(sighting) { newcomers.add(sighting, at: loop.now) }
            return
        }
        guard mayAdopt(first), rate.admit(at: loop.now) else { return }
        newcomers.remove(address)
        // One change adopts all devices that are seen before it runs.
        if candidates.isEmpty { fleet.change { [weak self] in await self?.adopt() } }
        examined.insert(address)
        candidates.append(first)
    }

    private func mayAdopt(_ sighting: Sighting) -> Bool {
        // A sender may invent addresses, so the examined devices are bounded.
        guard examined.count < fleet.devices.count + Roster.mostAdopted,
            !fleet.roster.removed.values.contains(sighting.address)
        else { return false }
        return fleet.configuration.fleet.device(of: sighting, whichAre: isOpen) != nil
    }

    private func isOpen(_ rule: Configuration.FleetRule) -> Bool {
        permission.isOpen(rule.permit, at: loop.now)
    }

    private func adopt() async {
        let rules = fleet.configuration.fleet
        var roster = fleet.roster
        let isStarting = loop.now - startTime < Self.probation
        let unproven = isStarting ? [] : fleet.unprovenDevices(since: Self.probation)
        let adopted = roster.adopt(
            candidates, into: fleet.wanted.list, by: rules, whichAre: isOpen, replacing: unproven)
        candidates = []
        reportLimit(roster)
        guard !adopted.isEmpty else { return }
        do throws(SystemError) {
            try await fleet.applyAdoptions(roster)
        } catch {
            log.error("\(error): the devices that were found are not adopted")
            after(Self.retryDelay) { $0.examineAgain() }
            return
        }
        let publisher = broker.publisher
        for device in adopted {
            log.info("adopted \(device.name)", ["address": device.address])
            publisher?.publish(.deviceAdopted(device: device.name, address: device.address), at: loop.timestamp)
        }
    }

    /// Logs and publishes once that the maximum number of adopted devices is reached.
    private func reportLimit(_ roster: Roster) {
        let wasFull = isFull
        isFull = roster.adopted.count >= Roster.mostAdopted
        guard isFull, !wasFull else { return }
        let reason = GatewayEvent.limitReason(Roster.mostAdopted)
        log.always.warning(reason)
        broker.publisher?.publish(.adoptionLimit(reason: reason), at: loop.timestamp)
    }
}
