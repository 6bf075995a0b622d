import BlueZ
import Bluetooth
import Configuration
import Contract
import Devices
import EventLoop
import JSON
import Log
import MQTT
import System

/// Creates, changes and removes the devices that the gateway manages.
///
/// Changes of the fleet run one after the other. Each change affects only the devices that differ.
final class Fleet: LoopPart {
    /// The calls by which the fleet reports changes to its owner.
    struct Hooks {
        /// Prepares a new device before its start.
        var prepare: (Device) -> Void
        /// Receives the devices that are about to stop.
        var willStop: ([Device]) -> Void
        /// Called when the devices match the configuration and the roster again.
        ///
        /// - Parameter left: the addresses of devices that were stopped.
        var didSettle: (_ left: [Address]) -> Void
    }

    let loop: EventLoop
    private let central: Central
    private let broker: BrokerLink
    let log = Log("gateway")
    /// The reader of the entries of added devices, with the present configuration.
    private(set) var entries: EntryReader
    /// The devices, by their names.
    private(set) var devices: [String: Device] = [:]
    /// The devices of the other gateways, if this one only decides.
    private(set) var decidedDevices: [Configuration.Device] = []
    /// The devices that are being stopped; they answer requests until the change is complete.
    private var leaving: [String: Device] = [:]
    /// Whether devices are being stopped and created: some are missing until `didSettle`.
    private(set) var isSettling = false
    /// The configurations of devices whose labels have changed since their start, by name.
    private var relabeled: [String: Configuration.Device] = [:]
    private let rosterStore: RosterStore
    /// The changes of the roster that conflict with the configuration, by the device's name.
    private(set) var conflicts: [String: Roster.Conflict] = [:]
    private var changes = ChangeQueue()
    private var hooks: Hooks?
    /// nil: the gateway shares no devices.
    private(set) var changeSharing: ChangeSharing?
    private(set) var isBluetoothOn = false
    /// Whether the gateway is stopping; a change that is under way then adds no more devices.
    private var isStopping = false

    init(
        _ configuration: Configuration, central: Central, broker: BrokerLink, host: HostMonitor, loop: EventLoop
    ) {
        entries = EntryReader(configuration)
        self.central = central
        self.broker = broker
        self.loop = loop
        rosterStore = RosterStore(
            in: configuration.stateDirectory, listed: Set(configuration.devices.map(\.address)),
            observer: host.stateObserver)
    }

    var configuration: Configuration { entries.configuration }
    private var publisher: Publisher? { broker.publisher }

    /// Shares the changes of requests with other gateways.
    func shareChanges(by sharing: ChangeSharing) {
        changeSharing = sharing
    }

    // MARK: Life

    /// Makes the devices of the configuration and of the roster; they do not start yet.
    ///
    /// - Throws: `GatewayError` if the name of a device in the configuration file cannot be part of a topic.
    /// - Returns: The devices' configurations.
    func open(_ publisher: Publisher, _ hooks: Hooks) throws(GatewayError) -> [Configuration.Device] {
        self.hooks = hooks
        let wanted = report(wanted)
        for device in wanted {
            do throws(GatewayError) {
                try add(device, publisher)
            } catch {
                // A change at run time never keeps the gateway from starting.
                guard !configuration.devices.contains(device) else { throw error }
                log.always.error("\(error)")
            }
        }
        return wanted
    }

    /// Starts the devices.
    func startDevices() async {
        let count = Self.periodicCount(of: devices.values.map(\.configuration))
        for device in devices.values { await device.start(bluetoothIsOn: isBluetoothOn, among: count) }
    }

    /// Returns the number of devices that connect by themselves for a session now and then.
    private static func periodicCount(of devices: [Configuration.Device]) -> Int {
        devices.count { if case .every = $0.connect { true } else { false } }
    }

    /// Starts to run the queued changes.
    func startChanges() {
        changes.start()
        makeChangesSoon()
    }

    /// Rejects further commands and adds no more devices; the devices stop later.
    func stop(because reason: String) {
        isStopping = true
        forEach { $0.rejectCommands(because: reason) }
    }

    /// Accepts no more changes; the queued ones still run.
    func stopChanges() {
        changes.close()
    }

    /// Stops all devices at once.
    ///
    /// - Parameters:
    ///   - limit: the time that the connections have to end.
    ///   - reason: the reason that the devices publish.
    /// - Returns: Whether all connections have ended.
    func stopDevices(within limit: Duration, because reason: String) async -> Bool {
        await loop.wait(for: limit) { [devices = devices.values, loop] in
            await withTaskGroup { group in
                for device in devices {
                    group.addTask(executorPreference: loop.tasks) { await device.stop(because: reason) }
                }
            }
        }
    }

    func bluetoothChanged(isOn: Bool, reason: String) {
        isBluetoothOn = isOn
        forEach { $0.bluetoothChanged(isOn: isOn, reason: reason) }
    }

    // MARK: Devices

    /// Calls `body` on each device.
    private func forEach(_ body: (isolated Device) -> Void) {
        for device in devices.values { device.enter(body) }
    }

    /// Returns the device with a name, which may be stopping; nil if there is none.
    func device(asked name: String) -> Device? { devices[name] ?? leaving[name] }

    /// Returns the configuration of a device with its present labels.
    func configuration(of device: Device) -> Configuration.Device {
        relabeled[device.name] ?? device.configuration
    }

    /// Returns the device with an address, which may be stopping; nil if there is none.
    func device(at address: Address) -> Device? {
        let isThere = { (device: Device) in device.configuration.address == address }
        return devices.values.first(where: isThere) ?? leaving.values.first(where: isThere)
    }

    /// The names of the devices that should have been seen by now, but were not.
    var missingNames: [String] {
        devices.values.filter { $0.enter { $0.isMissing } }.map(\.name).sorted()
    }

    /// Makes all devices use another publisher from now on.
    func move(to publisher: Publisher) {
        forEach { $0.move(to: publisher) }
    }

    /// Answers the waiting commands of all devices with a failure.
    func failCommands(because reason: String) {
        forEach { $0.failCommands(because: reason) }
    }

    /// Publishes the retained topics of all devices again, without readings.
    func republish() {
        forEach { $0.republish() }
    }

    /// Corrects the times of the retained states of all devices.
    func correctTimes(_ step: ClockStep) {
        forEach { $0.correctTimes(step) }
    }

    func republishReadings() {
        forEach { $0.republishReadings() }
    }

    @discardableResult
    private func add(_ configuration: Configuration.Device, _ publisher: Publisher) throws(GatewayError) -> Device {
        do throws(TopicError) {
            let device = try Device(configuration, central: central, publisher: publisher, loop: loop)
            hooks?.prepare(device)
            devices[configuration.name] = device
            return device
        } catch {
            throw GatewayError("the device \(configuration.name): \(error)")
        }
    }

    // MARK: Changes

    /// Queues a change of the fleet; changes run one at a time, in order.
    func change(_ body: @escaping () async -> Void) {
        changes.add(body)
        makeChangesSoon()
    }

    private func makeChangesSoon() {
        guard changes.begin() else { return }
        spawn { fleet in
            while let body = fleet.changes.next() { await body() }
        }
    }

    /// Replaces the configuration; a later call of `settle` applies the new one to the devices.
    func use(_ configuration: Configuration) {
        entries = EntryReader(configuration)
    }

    /// Stops and creates devices so that the devices match the configuration and the roster.
    ///
    /// Devices whose configuration has not changed continue.
    ///
    /// - Parameter outcome: The wanted devices if they are known.
    /// - Returns: The difference.
    @discardableResult
    func settle(_ outcome: Roster.Outcome? = nil) async -> FleetDifference {
        guard let publisher else { return FleetDifference() }
        let wanted = report(outcome ?? self.wanted)
        let configurations = Dictionary(uniqueKeysWithValues: wanted.map { ($0.name, $0) })
        // Only the discovery uses the labels: a new title ends no connection.
        let gone = devices.filter { name, device in
            configurations[name].map { !$0.isEqualExceptLabels(to: device.configuration) } ?? true
        }
        let before = relabeled
        relabeled = configurations.filter { name, device in
            gone[name] == nil && devices[name].map { $0.configuration != device } ?? false
        }
        isSettling = true
        let left = await stop(Array(gone.values), wanted)
        var difference = FleetDifference()
        let new = wanted.filter { devices[$0.name] == nil }
        let count = Self.periodicCount(of: new)
        for device in new where !isStopping {
            do throws(GatewayError) {
                let added = try add(device, publisher)
                await added.start(bluetoothIsOn: isBluetoothOn, among: count)
                await loop.yield()
                if left[device.name] == nil {
                    added.log.info("added", ["address": device.address])
                    difference.added.append(device.name)
                } else {
                    added.log.info("changed")
                    difference.changed.append(device.name)
                }
            } catch {
                log.always.error("\(error)")
            }
        }
        let names = Set(before.keys).union(relabeled.keys)
        let renamed = names.filter { before[$0] != relabeled[$0] && gone[$0] == nil && devices[$0] != nil }
        difference.changed += renamed.sorted()
        difference.removed = left.keys.filter { devices[$0] == nil }.sorted()
        for name in difference.removed { leaving[name]?.log.info("removed") }
        leaving = [:]
        isSettling = false
        hooks?.didSettle(Array(left.values))
        return difference
    }

    /// Stops devices, all at once.
    ///
    /// - Parameters:
    ///   - gone: the devices to stop.
    ///   - wanted: all devices after the change.
    /// - Returns: The addresses of the stopped devices, by their names.
    private func stop(_ gone: [Device], _ wanted: [Configuration.Device]) async -> [String: Address] {
        for device in gone {
            devices[device.name] = nil
            leaving[device.name] = device
        }
        hooks?.willStop(gone)
        await withTaskGroup { group in
            for device in gone {
                let reason = stopReason(of: device.configuration, wanted)
                group.addTask(executorPreference: loop.tasks) { await device.stop(because: reason) }
            }
        }
        return Dictionary(uniqueKeysWithValues: gone.map { ($0.name, $0.configuration.address) })
    }

    private func stopReason(of device: Configuration.Device, _ wanted: [Configuration.Device]) -> String {
        if wanted.contains(where: { $0.name == device.name }) { return "the configuration of the device has changed" }
        let other = wanted.first { $0.address == device.address }
        return other.map { "the device was renamed to \($0.name)" } ?? "the device was removed"
    }

    /// The devices of the configuration and of the roster, and the conflicts.
    var wanted: Roster.Outcome { devices(of: roster) }

    /// Returns the devices that the fleet would have with another roster.
    func devices(of roster: Roster) -> Roster.Outcome {
        defer {
            entries.forget(allExcept: self.roster.added + roster.added)
            entries.forgetOptions(allExcept: Array(self.roster.options.keys) + roster.options.keys)
        }
        return roster.devices(entries)
    }

    /// Reads the entry of a device that a client adds, and checks the files that it names.
    ///
    /// - Throws: `EntryError` with the mistakes in the entry.
    func check(_ addition: Roster.Addition) throws(EntryError) -> Configuration.Device {
        try entries.device(of: addition, checkingFiles: true)
    }

    /// Publishes new conflicts, and returns the devices that the gateway manages.
    private func report(_ outcome: Roster.Outcome) -> [Configuration.Device] {
        for (name, conflict) in outcome.conflicts.sorted(by: { $0.key < $1.key }) where conflicts[name] != conflict {
            log.warning("the device \(name): \(conflict)")
            publisher?.publish(.deviceConflict(device: name, reason: "\(conflict)"), at: loop.timestamp)
        }
        conflicts = outcome.conflicts
        guard configuration.onlyDecides else { return outcome.list.devices }
        decidedDevices = outcome.list.devices
        return []
    }

    /// Returns the adopted devices that new ones may replace.
    ///
    /// Devices that a client has renamed or given options are not among them. Neither are devices that other gateways have
    /// too, unless this gateway has owned them for some time: of all gateways, the owner is the one that receives the device.
    ///
    /// - Parameter probation: The time without a value.
    /// - Returns: The addresses of the devices without a value since the start, in the order of adoption.
    func unprovenDevices(since probation: Duration) -> [Address] {
        roster.adopted.filter { adopted in
            guard !adopted.isRenamed, roster.options[adopted.address] == nil else { return false }
            guard let device = device(of: adopted) else { return true }
            if let changeSharing, roster.revisions[adopted.address] != nil {
                guard let since = changeSharing.ownedSince(device.name), loop.now - since >= probation else {
                    return false
                }
            }
            return !hasValue(device)
        }.map(\.address)
    }

    /// Returns the device that was made of an adopted one; nil: the configuration has no rule for it, or lists its address.
    func device(of adopted: AdoptedDevice) -> Device? {
        adopted.names.lazy.compactMap { self.devices[$0] }.first { $0.configuration.address == adopted.address }
    }

    /// Returns whether a device has sent a value, or was connected, since the start.
    func hasValue(_ device: Device) -> Bool {
        device.enter { device in
            device.status.history.lastSeen != nil || device.advertised.listener?.counters.decoded ?? 0 > 0
        }
    }

    /// How long changes of single devices gather before a message or file that contains all devices is written.
    ///
    /// With 1,000 devices it has 50 to 250 kB. While they are heard for the first time, one of them changes each second.
    var gatheringTime: Duration { .seconds(1 + devices.count / 100) }

    /// The payload of the gateway's topic `devices`.
    var list: DeviceList {
        DeviceList(configuration: configuration, roster: roster, devices: Array(devices.values))
    }

    // MARK: The roster

    /// The changes of the fleet that were made at run time.
    var roster: Roster { rosterStore.roster }

    /// Stores another roster and applies it to the devices.
    ///
    /// - Parameters:
    ///   - roster: The roster.
    ///   - outcome: The devices of the roster if they are known.
    /// - Throws: `SystemError` if the roster cannot be stored; nothing has changed then.
    func apply(_ roster: Roster, _ outcome: Roster.Outcome? = nil) async throws(SystemError) {
        let present = entries
        try await rosterStore.save(roster)
        await settle(entries === present ? outcome : nil)
    }
}
