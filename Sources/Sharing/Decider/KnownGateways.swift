import Contract
import System

/// The gateways whose reports this gateway reads.
struct KnownGateways: Sendable {
    private let identity: FleetIdentity
    private let rules: FleetRules
    /// The shared devices of this gateway.
    private var devices: DeviceNumbers
    private(set) var gateways: [String: KnownGateway] = [:]
    /// The number of gateways that have a device in their configuration, by device.
    private(set) var deviceCounts: DeviceValues<Int>
    private(set) var bonds: KnownBonds
    /// The counters of encrypted advertisements that the last owners have reported, by device and format.
    private(set) var counters: [String: [String: Int]] = [:]

    init(
        _ identity: FleetIdentity, _ rules: FleetRules, _ devices: DeviceNumbers, bonds: [String: [String]]
    ) {
        self.identity = identity
        self.rules = rules
        self.devices = devices
        deviceCounts = DeviceValues(devices)
        self.bonds = KnownBonds(bonds)
    }

    /// Uses another list of shared devices.
    mutating func use(_ devices: DeviceNumbers) {
        self.devices = devices
        deviceCounts.use(devices)
        for name in gateways.keys { gateways[name]?.use(devices) }
    }

    subscript(name: String) -> KnownGateway? { gateways[name] }

    /// The names of the gateways that run and have reported fully, in order.
    var available: [String] { gateways.filter(\.value.isAvailable).keys.sorted() }

    /// The processes that run.
    var processes: Set<FleetProcess> {
        Set(gateways.filter(\.value.isAlive).map { FleetProcess(gateway: $0.key, start: $0.value.start) })
    }

    /// Returns the signal strengths of a device in dBm, by gateway.
    func signals(of device: String) -> [String: Double] {
        gateways.filter { $0.value.isAvailable }.compactMapValues { $0.signals[device]?.level.map { Double($0) } }
    }

    /// The effect of a report.
    enum Effect {
        /// The report is a repetition, or comes from another process with the name of a gateway.
        case ignored
        /// Rule 2: the other gateway follows a greater key.
        case follow(FleetKey)
        /// - wasBuried: whether the gateway reports again after its burial.
        case received(wasBuried: Bool)
    }

    /// Applies a report to the gateway of its topic.
    mutating func receive(_ report: FleetReport, of name: String, followed key: FleetKey?, at now: Instant) -> Effect {
        guard makeRoom(for: name, report), var gateway = gateway(name, report, at: now) else { return .ignored }
        let wasBuried = gateways[name].map { !$0.isAlive } ?? false
        guard let hasGap = gateway.arrived(report, at: now) else { return .ignored }
        if let followed = report.followed, key.map({ followed > $0 }) ?? true, rules.contains(.follow) {
            gateways[name] = gateway
            return .follow(followed)
        }
        if let whole = report.whole {
            count(gateway.signals.names, -1)
            if let bonded = whole.bonded { bonds.use(Set(bonded).intersection(report.signals.keys), of: name) }
            gateway.apply(whole, report, bonded: bonds.devices(of: name), isCurrent: report.followed == key)
            count(gateway.signals.names, 1)
        } else {
            gateway.applySignals(report, hasGap: hasGap)
        }
        gateway.applyChanges(report)
        noteCounters(report, of: gateway)
        gateways[name] = gateway
        return .received(wasBuried: wasBuried)
    }

    /// Notes the counters of the devices that a gateway owns, or drops with this report.
    private mutating func noteCounters(_ report: FleetReport, of gateway: KnownGateway) {
        for (device, values) in report.counters where gateway.signals[device] != nil {
            guard gateway.owned[device] != nil || report.dropped[device] != nil,
                counters[device] != nil || counters.count < FleetLimits.devices
            else { continue }
            counters[device] = values
        }
    }

    /// Bounds the memory: 500 gateways, and 10,000 devices of all gateways.
    ///
    /// A new gateway replaces the failed one that has been silent for the longest time.
    ///
    /// - Returns: Whether there is room for the report.
    private mutating func makeRoom(for name: String, _ report: FleetReport) -> Bool {
        if report.whole != nil {
            let newDevices = report.signals.keys.count { deviceCounts[$0] == nil }
            guard deviceCounts.count + newDevices <= FleetLimits.devices else { return false }
        }
        guard gateways[name] == nil, gateways.count >= FleetLimits.gateways else { return true }
        let failed = gateways.filter { !$0.value.isAlive }.min { $0.value.received < $1.value.received }
        guard let failed else { return false }
        count(failed.value.signals.names, -1)
        gateways[failed.key] = nil
        return true
    }

    /// Returns the gateway of a report; nil: another process of this name runs (rule 13).
    ///
    /// A gateway that decides is the process of its name: otherwise it would not decide.
    private mutating func gateway(_ name: String, _ report: FleetReport, at now: Instant) -> KnownGateway? {
        if name == identity.gateway, report.start != identity.start, rules.contains(.names) { return nil }
        if let known = gateways[name] {
            if known.start == report.start { return known }
            if known.isAlive, known.burialTime == nil, rules.contains(.names) {
                gateways[name]?.noteRival(at: now)
                return nil
            }
            count(known.signals.names, -1)
        }
        return KnownGateway(start: report.start, received: now, devices)
    }

    /// Rule 13: notes the processes that a decider acknowledges: another process with one of their names is not the gateway.
    mutating func acknowledge(_ processes: Set<FleetProcess>, at now: Instant) {
        for process in processes where process.gateway != identity.gateway {
            let known = gateways[process.gateway]
            guard known?.start != process.start, rules.contains(.names) else { continue }
            if let known { count(known.signals.names, -1) }
            gateways[process.gateway] = KnownGateway(start: process.start, received: now, devices)
        }
    }

    private mutating func count(_ devices: some Sequence<String>, _ difference: Int) {
        for device in devices {
            let count = (deviceCounts[device] ?? 0) + difference
            deviceCounts[device] = count > 0 ? count : nil
        }
    }

    /// Notes the gateways that have a bond with a device, as another decider knows them.
    mutating func noteBonds(_ names: [String], of device: String) {
        bonds.set(names, of: device)
    }

    // MARK: Burials

    /// Rule 12: notes that the connection of a gateway has ended.
    mutating func receiveWill(of name: String, start: String, connection: Int, at now: Instant) {
        guard let gateway = gateways[name], gateway.start == start, connection >= gateway.connection, gateway.isAlive
        else { return }
        gateways[name]?.receiveWill(at: now)
    }

    /// Rule 12: buries the gateways that were silent for 3.5 s, or whose will is 1 s old.
    ///
    /// `judges` is true if this gateway has listened long enough to judge a silence.
    ///
    /// - Returns: The names of the buried gateways.
    mutating func bury(judges: Bool, at now: Instant) -> [String] {
        let silence = rules.contains(.burial) ? FleetConstants.silence : FleetConstants.absence
        let buried = gateways.filter { _, gateway in
            let isSilent = judges && now - gateway.received > silence
            return gateway.isAlive && (isSilent || gateway.burialTime.map { now >= $0 } ?? false)
        }.keys.sorted()
        for name in buried { bury(name) }
        return buried
    }

    /// Marks the gateways as failed that another decider has buried: it no longer acknowledges them.
    mutating func buryAbsent(_ acknowledged: Set<String>, at now: Instant) {
        for (name, gateway) in gateways where gateway.isAlive && !acknowledged.contains(name) {
            if now - gateway.received > FleetConstants.absence { bury(name) }
        }
    }

    /// Marks a gateway as failed.
    mutating func bury(_ name: String) {
        gateways[name]?.bury()
    }

    // MARK: Full reports

    /// Forgets the contents of all reports, and keeps which gateways run: this gateway does not listen any more.
    ///
    /// Before a gateway decides, all others send full reports. Only then their contents are needed.
    mutating func stopListening() {
        deviceCounts = DeviceValues(devices)
        for name in gateways.keys { gateways[name]?.forgetContents(devices) }
    }

    /// Gives all gateways a new chance to report: this gateway has begun to listen.
    mutating func listenAgain(at now: Instant) {
        for name in gateways.keys { gateways[name]?.awaitReport(since: now) }
    }

    /// Forgets the full reports, because the key has changed.
    mutating func forgetWholeReports() {
        for name in gateways.keys { gateways[name]?.forgetWholeReport() }
    }

    /// Marks that a full report of a gateway is demanded, at most once each 500 ms; of an unknown one, each time.
    ///
    /// - Returns: Whether it must be demanded now.
    mutating func demand(_ name: String, at now: Instant) -> Bool {
        gateways[name]?.demand(at: now) ?? true
    }

    /// Updates the slow averages of the signal strengths.
    mutating func updateSlowAverages() {
        for name in gateways.keys { gateways[name]?.updateSlowAverages() }
    }
}
