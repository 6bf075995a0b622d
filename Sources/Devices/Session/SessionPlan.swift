package import Configuration

/// The part of a device's configuration that the session uses.
package struct SessionPlan: Equatable, Sendable {
    package var connect: Configuration.ConnectPolicy
    /// The characteristics whose values complete a collecting session; nil: all subscribed and read ones.
    package var until: Set<String>?
    /// The time limit of a collecting session.
    package var within: Duration
    /// How long the connection is kept open after the last command.
    package var hold: Duration
    /// How long the device may send no notification before it is disconnected; nil: no limit.
    package var quiet: Duration?
    /// Whether to bond before any other access.
    package var pair: Bool
    /// Whether an invalid bond is replaced without a request.
    package var renewsBond: Bool
    /// All configured characteristics.
    package var characteristics: Set<String>
    /// The characteristics to subscribe to, in order.
    package var subscribed: [String]
    /// The characteristics to read, in order.
    package var reads: [Read]

    package struct Read: Equatable, Sendable {
        package var name: String
        package var policy: Configuration.Characteristic.ReadPolicy
    }

    package init(_ device: Configuration.Device) {
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
