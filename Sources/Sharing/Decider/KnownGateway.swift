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
    var connection = 0
    /// The number of the last report; nil: there is none.
    var number: Int?
    var received: Instant
    var rank = 100
    /// The fingerprint of the names and addresses of its shared devices.
    var roster = ""
    var isAlive = true
    /// When the gateway is buried because of its will; nil: there is no will.
    var burialTime: Instant?
    /// When another process with its name last reported; nil: none has.
    var rivalReport: Instant?
    /// Whether all reports since the last full one have arrived.
    var isComplete = false
    /// The number of the last full report for the present key.
    var wholeReport: Int?
    /// When a full report was last demanded.
    var demanded: Instant?
    var owned: [String: FleetStamp] = [:]
    var signals: DeviceValues<Signal>
    var links: Set<String> = []
    var bonded: Set<String> = []
    var freeSlots = 0

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
