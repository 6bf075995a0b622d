import Configuration

/// The part of a device's configuration that the session uses.
struct SessionPlan: Equatable, Sendable {
    var connect: Configuration.ConnectPolicy
    /// The characteristics whose values complete a collecting session; nil: all subscribed and read ones.
    var until: Set<String>?
    /// The time limit of a collecting session.
    var within: Duration
    /// How long the connection is kept open after the last command.
    var hold: Duration
    /// How long the device may send no notification before it is disconnected; nil: no limit.
    var quiet: Duration?
    /// Whether to bond before any other access.
    var pair: Bool
    /// Whether an invalid bond is replaced without a request.
    var renewsBond: Bool
    /// All configured characteristics.
    var characteristics: Set<String>
    /// The characteristics to subscribe to, in order.
    var subscribed: [String]
    /// The characteristics to read, in order.
    var reads: [Read]

    struct Read: Equatable, Sendable {
        var name: String
        var policy: Configuration.Characteristic.ReadPolicy
    }

    init(_ device: Configuration.Device) {
        connect = device.connect
        until = device.until.map(Set.init)
        within = device.within
        hold = device.hold
        quiet = device.quiet
        pair = device.pair
        renewsBond = device.pair && device.renewsBond
        characteristics = Set(device.characteristics.map(\.name))
        subscribed = device.characteristics.filter(\.subscribe).map(\.name)
        reads = device.characteristics.compactMap { characteristic in
            characteristic.read.map { Read(name: characteristic.name, policy: $0) }
        }
    }
}
