import Bluetooth
package import Configuration

/// The part of a device's configuration that the session uses.
package struct SessionPlan: Equatable, Sendable {
    package var connect: Configuration.ConnectPolicy
    /// The position of the device's periodic sessions in their interval, from 0 to 1: depends on the address only.
    package var phase: Double
    /// The characteristics whose values complete a collecting session; nil: all subscribed and read ones.
    package var until: Set<String>?
    /// The time limit of a collecting session.
    package var within: Duration
    /// How long the connection is kept open after the last command.
    package var hold: Duration
    /// How long the device may send no notification before it is disconnected; nil: no limit.
    package var quiet: Duration?
    /// Whether the device is switched off most of the time, and counts as asleep then.
    package var isOccasional: Bool
    /// Whether the device can refuse a login, so that a connection without a value is no success.
    package var needsLogin: Bool
    /// Whether to bond before any other access.
    package var pair: Bool
    /// Whether an invalid bond is replaced without a request.
    package var renewsBond: Bool
    /// All configured characteristics.
    package var characteristics: Set<String>
    /// The characteristics to subscribe to, in order; those for answers have the names of `channelNames`.
    package var subscribed: [String]
    /// The characteristics whose values arrive by a subscription, without a read or a question.
    package var notified: [String]
    /// The characteristics to read, in order.
    package var reads: [Read]

    package struct Read: Equatable, Sendable {
        package var name: String
        package var policy: Configuration.Characteristic.ReadPolicy
    }

    package init(_ device: Configuration.Device) {
        connect = device.connect
        // The golden ratio spreads consecutive addresses evenly (D. E. Knuth, The Art of Computer Programming, 6.4).
        phase = Double((device.address.value &* 0x9E37_79B9_7F4A_7C15) >> 11) / Double(1 << 53)
        until = device.until.map(Set.init)
        within = device.within
        hold = device.hold
        quiet = device.quiet
        isOccasional = device.settings.isOccasional
        needsLogin = device.settings.first.contains { $0.answer != nil }
        pair = device.pair
        renewsBond = device.pair && device.renewsBond
        characteristics = Set(device.characteristics.map(\.name))
        let direct = device.characteristics.filter { $0.exchange == nil && $0.subscribe }.map(\.name)
        let channels = ConversationPlan(device.settings)?.channels ?? []
        subscribed = channels.map(\.channelName) + direct
        notified =
            direct + device.characteristics.filter { $0.exchange != nil && $0.subscribe && $0.read == nil }.map(\.name)
        reads = device.characteristics.compactMap { characteristic in
            characteristic.read.map { Read(name: characteristic.name, policy: $0) }
        }
    }
}
