import Sharing

/// The size and the properties of a simulated world.
struct WorldOptions {
    /// The time after which the kernel ends a connection whose data is not acknowledged, in seconds.
    static let socketTimeout = 2.25
    /// The time to live of requests in seconds.
    static let timeToLive = 20.0

    var gateways = 6
    var devices = 30
    /// The number of nodes of the cluster of brokers.
    var nodes = 1
    /// The probability that a node does not receive a message of another node.
    var loss = 0.0
    /// The probability that a hop takes 50 to 400 ms longer.
    var slow = 0.0
    /// The keep-alive of the connections in seconds.
    var keepAlive = 5.0
    /// The time between two checks of the keep-alives in seconds.
    var keepAliveScan = 6.0
    /// The time between two attempts to connect to the broker in seconds.
    var retry = 0.5...1.5
    /// The number of connections to devices per gateway.
    var slots = 8
    /// The time between two advertisements of a device in seconds.
    var advertisementInterval = 2.0
    /// Whether the decider must hold a seat; then two owners are counted across the sides of a split too.
    var hasSeat = false
    /// The gateways with a second process of the same name.
    var twins: [Int] = []
    var rules = FleetRules.all
    /// Whether reports and decisions are written and parsed as JSON.
    var usesJSON = false
    /// Whether all devices only advertise.
    var onlyAdvertises = false
}
