package import JSON

/// The number of advertisements of one device since the gateway started.
package struct AdvertisementCounters: Equatable, Sendable {
    /// All advertisements, with repetitions.
    package var received = 0
    /// The advertisements with readings.
    package var decoded = 0
    /// The advertisements without a reading, because they are encrypted, damaged or of an unknown format.
    package var refused = 0

    package init(received: Int = 0, decoded: Int = 0, refused: Int = 0) {
        self.received = received
        self.decoded = decoded
        self.refused = refused
    }
}

extension AdvertisementCounters {
    /// The member `advertisements` of the device in the payload of the gateway's topic `health`.
    package var json: JSON {
        ["received": .number(received), "decoded": .number(decoded), "refused": .number(refused)]
    }

    /// - Returns: nil if the value is not of this kind.
    package init?(_ json: JSON) {
        guard let received = json["received"]?.int, let decoded = json["decoded"]?.int,
            let refused = json["refused"]?.int
        else { return nil }
        self.init(received: received, decoded: decoded, refused: refused)
    }
}
