import Contract
import System

/// A gateway as its reports describe it.
struct KnownGateway: Sendable {
    /// How well the gateway receives a device: 12 bytes, because there is one for each gateway and device.
    struct Signal: Sendable {
        /// In dBm; nil: the device is not received.
        var level: Int16?
        /// The average over about 4 minutes; nil: not calculated yet.
        private var average: Float?

        /// Creates the signal of a device that is not received.
        init() {}

        /// The level; a device that is not received counts as −100 dBm.
        var counted: Double { level.map { Double($0) } ?? FleetConstants.floor }
        /// The average over about 4 minutes; nil: not calculated yet.
        var slow: Double? { average.map { Double($0) } }

        /// Returns the signal with the next average.
        var averaged: Signal {
            var signal = self
            signal.average = Float(slow.map { $0 + FleetConstants.slowWeight * (counted - $0) } ?? counted)
            return signal
        }
    }

    /// The random name of the process.
    let start: String
    private(set) var connection = 0
    /// The number of the last report; nil: there is none.
    private(set) var number: Int?
    private(set) var received: Instant
    private(set) var rank = 100
    /// The fingerprint of the names and addresses of its shared devices.
    private(set) var roster = ""
    private(set) var isAlive = true
    /// When the gateway is buried because of its will; nil: there is no will.
    private(set) var burialTime: Instant?
    /// When another process with its name last reported; nil: none has.
    private(set) var rivalReport: Instant?
    /// Whether all reports since the last full one have arrived.
    private(set) var isComplete = false
    /// The number of the last full report for the present key.
    private(set) var wholeReport: Int?
    /// When a full report was last demanded.
    private var demanded: Instant?
    private(set) var owned: [String: FleetStamp] = [:]
    private(set) var signals: DeviceValues<Signal>
    private(set) var links: Set<String> = []
    private(set) var bonded: Set<String> = []
    private(set) var freeSlots = 0

    /// - Parameters:
    ///   - start: The random name of the process.
    ///   - received: The time of its first report.
    ///   - devices: The shared devices of this gateway, which most gateways have too.
    init(start: String, received: Instant, _ devices: DeviceNumbers) {
        self.start = start
        self.received = received
        signals = DeviceValues(devices)
    }

    /// Whether the decider may assign devices to the gateway.
    var isAvailable: Bool { isAlive && wholeReport != nil }
}

// MARK: Reports

extension KnownGateway {
    /// Notes that a report has arrived: a buried gateway is alive again, and must report fully.
    ///
    /// - Returns: Whether a report before this one is missing; nil if this one is a repetition.
    mutating func arrived(_ report: FleetReport, at now: Instant) -> Bool? {
        if let number, report.number <= number { return nil }
        let hasGap = number.map { report.number != $0 + 1 } ?? false
        if !isAlive {
            isAlive = true
            isComplete = false
            wholeReport = nil
        }
        if report.connection >= connection { burialTime = nil }
        connection = max(connection, report.connection)
        number = report.number
        received = now
        freeSlots = report.freeSlots
        return hasGap
    }

    /// Applies the members of a full report.
    mutating func apply(_ whole: FleetReport.Whole, _ report: FleetReport, bonded: Set<String>, isCurrent: Bool) {
        rank = whole.rank
        roster = whole.roster
        owned = whole.owned
        self.bonded = bonded
        links = []
        isComplete = true
        wholeReport = isCurrent ? report.number : nil
        let old = signals
        signals = DeviceValues(old.numbers)
        for (device, signal) in report.signals {
            var known = old[device] ?? Signal()
            known.level = signal.level
            signals[device] = known
        }
    }

    /// Applies the signals of a report that is not full.
    mutating func applySignals(_ report: FleetReport, hasGap: Bool) {
        if hasGap { isComplete = false }
        // The full report lists all shared devices.
        for (device, signal) in report.signals { signals[device]?.level = signal.level }
    }

    /// Applies the connections of a report, the devices that the gateway has got or given up, and whether it leaves.
    mutating func applyChanges(_ report: FleetReport) {
        for (device, isLinked) in report.links {
            if isLinked, signals[device] != nil {
                links.insert(device)
            } else {
                links.remove(device)
            }
        }
        for (device, stamp) in report.accepted where signals[device] != nil { owned[device] = stamp }
        for (device, stamp) in report.dropped {
            if let present = owned[device], present <= stamp { owned[device] = nil }
        }
        if report.isLeaving { isAlive = false }
    }

    /// Notes a report of another process with the name of the gateway.
    mutating func noteRival(at now: Instant) { rivalReport = now }

    /// Marks that a full report is demanded, at most once each 500 ms.
    ///
    /// - Returns: Whether it must be demanded now.
    mutating func demand(at now: Instant) -> Bool {
        if let demanded, now - demanded <= FleetConstants.demand { return false }
        demanded = now
        return true
    }

    /// Forgets the last full report, because the key has changed.
    mutating func forgetWholeReport() { wholeReport = nil }

    /// Forgets what the reports contain.
    mutating func forgetContents(_ devices: DeviceNumbers) {
        signals = DeviceValues(devices)
        (owned, links, bonded) = ([:], [], [])
        (isComplete, wholeReport) = (false, nil)
    }

    /// Gives the gateway a new chance to report: this gateway has begun to listen.
    mutating func awaitReport(since now: Instant) {
        received = now
        isComplete = false
        wholeReport = nil
    }

    /// Uses another list of shared devices.
    mutating func use(_ devices: DeviceNumbers) { signals.use(devices) }

    /// Updates the slow averages of the signal strengths.
    mutating func updateSlowAverages() { signals.replaceAll(\.averaged) }
}

// MARK: Burials

extension KnownGateway {
    /// Rule 12: notes that the connection has ended.
    mutating func receiveWill(at now: Instant) { burialTime = now + FleetConstants.will }

    /// Marks the gateway as failed.
    mutating func bury() {
        isAlive = false
        burialTime = nil
        wholeReport = nil
    }
}

extension FleetReport.Signal {
    /// The signal strength in dBm; nil: the device is not received.
    fileprivate var level: Int16? {
        if case .received(let level) = self { Int16(clamping: level) } else { nil }
    }
}
