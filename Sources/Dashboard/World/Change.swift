/// A message that changes what the page shows.
package struct Change: Sendable {
    package enum Audience: Sendable, Equatable {
        /// The page with all devices, and the page of the device.
        case everyone
        /// The page of the device only.
        case devicePage
        /// The visitor who pairs a device through this gateway.
        case pairing(gateway: String)
    }

    /// The topic without the prefix.
    package let topic: String
    /// The name of the device; nil for a topic of a gateway without one.
    package let device: String?
    package let audience: Audience
    /// The payload as JSON text; nil: the newest payload of the topic in the world.
    package let payload: [UInt8]?
}

/// A value for the history.
package struct Sample: Sendable {
    package let device: String
    package let name: String
    package let reading: DashboardReading
    /// Whether the value may have been stored before: the broker has retained it.
    package let isRetained: Bool
}

/// Another name of a device.
package struct Rename: Equatable, Sendable {
    package let old: String
    package let new: String
}

/// The consequences of a message.
package struct Effects: Sendable {
    package var changes: [Change] = []
    package var samples: [Sample] = []
    /// The devices that have another name now.
    package var renames: [Rename] = []
    /// Whether a message was ignored because there are too many topics.
    package var isFull = false
}
