import BlueZ
import Bluetooth
import Codec
import Configuration
import EventLoop
import System

/// Decodes the advertisements of one device: drops repetitions, returns the readings, and measures the interval.
///
/// A value without I/O.
struct AdvertisementListener {
    enum Outcome: Equatable {
        /// The advertisement repeats an earlier one or has no readings.
        case nothing
        /// The readings, and why another part of the advertisement cannot be decoded; nil if there is no new reason.
        case readings([AdvertisementReading], refusal: AdvertisementError? = nil)
        /// A new reason why the advertisement cannot be decoded; a reason of a temporary kind is new again after an
        /// hour without it.
        case obstacle(AdvertisementError)
    }

    private var decoder: AdvertisementDecoder
    /// The rhythm of the advertisements.
    private(set) var rhythm = Rhythm(probation: Self.probation)
    private(set) var lastSeen: Instant?
    /// The signal strength in dBm at an adapter; updated once per `strengthInterval`.
    private(set) var strength: (rssi: Int, adapter: String, time: Instant)?
    /// The data of the last advertisement with data, and when this data was first received; nil: never.
    private var last: (data: Data, time: Instant)?
    /// The reasons why advertisements could not be decoded, one of each kind, with the time of its last occurrence.
    private var obstacles: [(error: AdvertisementError, time: Instant)] = []
    private var hasDecoded = false
    /// When an advertisement without data was last decoded.
    private var lastPresence: Instant?

    private struct Data: Equatable {
        let manufacturer: [UInt16: [UInt8]]
        let service: [UUID: [UInt8]]
    }

    /// The time within which equal data is a repetition: devices send each advertisement several times.
    static let lifetime = Duration.seconds(4)
    /// The time without a reason after which the reason counts as new again.
    private static let obstacleMemory = Duration.seconds(3600)
    /// The minimum time between two updates of the signal strength.
    static let strengthInterval = Duration.seconds(60)
    /// How long the interval of advertisements must be steady before it is used.
    ///
    /// A short time is sufficient: advertisements are regular, apart from bursts after an event.
    private static let probation = Duration.seconds(60)

    init(_ decoder: AdvertisementDecoder) {
        self.decoder = decoder
    }

    /// Restores the time at which an earlier run of the program last saw the device; nil: unknown.
    mutating func restore(lastSeen: Instant?) {
        self.lastSeen = self.lastSeen ?? lastSeen
    }

    mutating func receive(_ sighting: Sighting, at now: Instant) -> Outcome {
        lastSeen = now
        rhythm.beat(at: now)
        let advertisement = sighting.advertisement
        if let rssi = advertisement.rssi, strength.map({ now - $0.time >= Self.strengthInterval }) ?? true {
            strength = (rssi, sighting.adapter, now)
        }
        let data = Data(manufacturer: advertisement.manufacturerData, service: advertisement.serviceData)
        if data.manufacturer.isEmpty, data.service.isEmpty { return receivePresence(advertisement, at: now) }
        if let last, last.data == data, now - last.time < Self.lifetime { return .nothing }
        last = (data, now)
        return decode(advertisement, at: now)
    }

    /// Decodes an advertisement without manufacturer and service data.
    ///
    /// Some devices send only a name or services. Others send the data in a separate advertisement.
    private mutating func receivePresence(_ advertisement: Advertisement, at now: Instant) -> Outcome {
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
            hasDecoded = true
            return .readings(contents.readings, refusal: contents.refusal.flatMap { isNew($0, at: now) ? $0 : nil })
        } catch {
            // A device may send advertisements of unknown formats in addition to the decodable ones.
            if error == .repeated || error == .unknown && hasDecoded { return .nothing }
            return isNew(error, at: now) ? .obstacle(error) : .nothing
        }
    }

    /// Returns whether to report a reason; each advertisement may have the same reason, which is reported once.
    private mutating func isNew(_ error: AdvertisementError, at now: Instant) -> Bool {
        guard let index = obstacles.firstIndex(where: { $0.error.hasSameCause(as: error) }) else {
            obstacles.append((error, now))
            return true
        }
        let last = obstacles[index].time
        obstacles[index].time = now
        return !error.isLasting && now - last >= Self.obstacleMemory
    }

    /// Restarts the measurement of the time without an advertisement, because the gateway could not receive
    /// advertisements.
    mutating func pause(at now: Instant) {
        rhythm.resume(at: now)
        if lastSeen != nil { lastSeen = now }
    }

    // MARK: Silence

    /// The tolerated time without an advertisement for a device without a steady interval, which may advertise only
    /// after events.
    private static let longestSilence = Duration.seconds(24 * 3600)

    /// When the next advertisement is overdue; nil if the device has never been seen.
    var deadline: Instant? {
        lastSeen.map { rhythm.deadline ?? $0 + Self.longestSilence }
    }
}
