import Contract
import System

/// A gateway as its reports describe it.
struct KnownGateway: Sendable {
    /// How well the gateway receives a device, in dBm; nil: not at all.
    struct Signal: Sendable {
        var level: Double?
        /// The average over about 4 minutes; nil: not calculated yet.
        var slow: Double?

        /// The level; a device that is not received counts as −100 dBm.
        var counted: Double { level ?? FleetConstants.floor }
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
    /// Whether all reports since the last full one have arrived.
    var isComplete = false
    /// The number of the last full report for the present key.
    var wholeReport: Int?
    /// When a full report was last demanded.
    var demanded: Instant?
    var followed: FleetKey?
    var owned: [String: FleetStamp] = [:]
    var signals: [String: Signal] = [:]
    var links: Set<String> = []
    var bonded: Set<String> = []
    var freeSlots = 0

    init(start: String, received: Instant) {
        self.start = start
        self.received = received
    }

    /// Whether the decider may assign devices to the gateway.
    var isAvailable: Bool { isAlive && wholeReport != nil }
}
