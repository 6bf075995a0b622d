internal import Configuration

/// What the configuration asks of the sessions with one device.
struct SessionPlan: Equatable, Sendable {
    var connect: Configuration.ConnectPolicy
    /// The characteristics of which a collecting session needs one value each; nil: of whatever it subscribes and reads.
    var until: Set<String>?
    /// How long a collecting session may take.
    var within: Duration
    /// How long the link outlives the last command.
    var hold: Duration
    /// How long the device may be silent before it is let go.
    var quiet: Duration?
    /// Whether there is to be a bond before anything else.
    var pair: Bool
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
        characteristics = Set(device.characteristics.map(\.name))
        subscribed = device.characteristics.filter(\.subscribe).map(\.name)
        reads = device.characteristics.compactMap { characteristic in
            characteristic.read.map { Read(name: characteristic.name, policy: $0) }
        }
    }
}
