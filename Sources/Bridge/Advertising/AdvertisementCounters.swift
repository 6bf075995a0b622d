import JSON

/// The number of advertisements of one device since the gateway started.
struct AdvertisementCounters: Equatable {
    /// All advertisements, with repetitions.
    var received = 0
    /// The advertisements with readings.
    var decoded = 0
    /// The advertisements without a reading, because they are encrypted, damaged or of an unknown format.
    var refused = 0
}

extension AdvertisementCounters {
    /// The member `advertisements` of the device in the payload of the gateway's topic `health`.
    var json: JSON {
        [
            "received": .number(JSON.Number(received)), "decoded": .number(JSON.Number(decoded)),
            "refused": .number(JSON.Number(refused)),
        ]
    }
}
