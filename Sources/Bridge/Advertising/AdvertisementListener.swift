internal import BlueZ
internal import Bluetooth
internal import Codec
internal import Configuration
internal import EventLoop

/// Reads the advertisements of one device: which packets are news, what they tell, and how regularly they come.
///
/// A value without any input or output.
struct AdvertisementListener {
    enum Outcome: Equatable {
        /// Nothing new, or nothing to be read.
        case nothing
        /// What it says, and what keeps another part of it from being read.
        case readings([AdvertisementReading], refusal: AdvertisementError? = nil)
        /// What keeps it from being read; told once, and again if it comes back after a long time.
        case obstacle(AdvertisementError)
    }

    private var decoder: AdvertisementDecoder
    /// When packets came.
    private(set) var rhythm = Rhythm(probation: Self.probation)
    private(set) var lastHeard: Instant?
    /// How strongly it was heard, and where; looked at now and then.
    private(set) var strength: (rssi: Int, adapter: String, time: Instant)?
    /// The last packet with data, and when that was news.
    private var last: (data: Data, time: Instant)?
    /// What has kept packets from being read, one of each kind, and when it last did.
    private var obstacles: [(error: AdvertisementError, time: Instant)] = []
    private var hasBeenRead = false
    /// When a device that has sent no data yet was last looked at.
    private var lastPresence: Instant?

    private struct Data: Equatable {
        let manufacturer: [UInt16: [UInt8]]
        let service: [UUID: [UInt8]]
    }

    /// The same bytes within this time are the same packet: each goes out several times.
    static let lifetime = Duration.seconds(4)
    /// What has not kept packets from being read for so long is news when it does again.
    private static let obstacleMemory = Duration.seconds(3600)
    /// How often the strength is looked at.
    static let strengthInterval = Duration.seconds(60)
    /// Advertising is regular by itself, but for a burst after something happened.
    private static let probation = Duration.seconds(60)

    init(_ decoder: AdvertisementDecoder) {
        self.decoder = decoder
    }

    /// An earlier run of the program heard the device.
    mutating func recall(heard: Instant?) {
        lastHeard = lastHeard ?? heard
    }

    /// Takes a packet in.
    mutating func take(_ sighting: Sighting, at now: Instant) -> Outcome {
        lastHeard = now
        rhythm.beat(at: now)
        let advertisement = sighting.advertisement
        if let rssi = advertisement.rssi, strength.map({ now - $0.time >= Self.strengthInterval }) ?? true {
            strength = (rssi, sighting.adapter, now)
        }
        let data = Data(manufacturer: advertisement.manufacturerData, service: advertisement.serviceData)
        if data.manufacturer.isEmpty, data.service.isEmpty { return takePresence(advertisement, at: now) }
        if let last, last.data == data, now - last.time < Self.lifetime { return .nothing }
        last = (data, now)
        return decode(advertisement, at: now)
    }

    /// Some devices say nothing but their name or services; of others the data may come in another packet.
    private mutating func takePresence(_ advertisement: Advertisement, at now: Instant) -> Outcome {
        if last != nil { return .nothing }
        if let lastPresence, now - lastPresence < Self.lifetime { return .nothing }
        lastPresence = now
        guard let contents = try? decoder.decode(advertisement, at: .nanoseconds(now.nanoseconds)) else {
            return .nothing
        }
        return .readings(contents.readings)
    }

    private mutating func decode(_ advertisement: Advertisement, at now: Instant) -> Outcome {
        do throws(AdvertisementError) {
            let contents = try decoder.decode(advertisement, at: .nanoseconds(now.nanoseconds))
            hasBeenRead = true
            return .readings(contents.readings, refusal: contents.refusal.flatMap { isNews($0, at: now) ? $0 : nil })
        } catch {
            // What is sent beside the packets that can be read is no obstacle.
            if error == .repeated || error == .unknown && hasBeenRead { return .nothing }
            return isNews(error, at: now) ? .obstacle(error) : .nothing
        }
    }

    /// Whether an obstacle is to be told: one among packets that can be read may come with each of the others.
    private mutating func isNews(_ error: AdvertisementError, at now: Instant) -> Bool {
        guard let index = obstacles.firstIndex(where: { $0.error.isOfOneKind(with: error) }) else {
            obstacles.append((error, now))
            return true
        }
        let last = obstacles[index].time
        obstacles[index].time = now
        return !error.isLasting && now - last >= Self.obstacleMemory
    }

    /// Nothing is heard for a while, for reasons of our own.
    mutating func pause(at now: Instant) {
        rhythm.resume(at: now)
        if lastHeard != nil { lastHeard = now }
    }

    // MARK: Silence

    /// How long a device of which no rhythm is known may be silent: it may speak only when something happens.
    private static let longestSilence = Duration.seconds(24 * 3600)

    /// From when on it is silent for longer than it should be; nil if it has never been heard.
    var deadline: Instant? {
        lastHeard.map { rhythm.deadline ?? $0 + Self.longestSilence }
    }
}
