package import Bluetooth
package import Codec
import Configuration
package import Contract
package import System

/// Decodes the advertisements of one device: drops repetitions, returns the readings, and measures the interval.
///
/// An object without I/O: a device that only connects has none (measured: Tests/Benchmark/README.md).
package final class AdvertisementListener {
    package enum Outcome: Equatable {
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
    package private(set) var rhythm = Rhythm(probation: AdvertisementListener.probation)
    /// When the last advertisement was accepted; nil: never.
    private var lastAccepted: Instant?
    /// Until when a device that was not silent before the start counts as not silent; nil: not after a start.
    private var graceEnd: Instant?
    /// Since when Bluetooth has been off; nil: it is on, or its state is not known yet.
    private var bluetoothOffSince: Instant?
    /// Why the newest advertisement was refused; nil if it was accepted or if there was none.
    package private(set) var refusal: AdvertisementError?
    /// Whether an advertisement was accepted in this run of the program.
    private var hasAccepted = false
    package private(set) var counters = AdvertisementCounters()
    /// How many times the device has started to count its encrypted packets anew.
    package var restartCount: Int { decoder.restartCount }
    /// The configured longest time without an advertisement; nil: the learned one.
    private let expected: Duration?
    /// The signal strength in dBm at an adapter; updated once per `strengthInterval`.
    package private(set) var strength: (rssi: Int, adapter: String, time: Instant)?
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
    package static let lifetime = Duration.seconds(4)
    /// The time without a reason after which the reason counts as new again.
    private static let obstacleMemory = Duration.seconds(3600)
    /// The minimum time between two updates of the signal strength.
    package static let strengthInterval = Duration.seconds(60)
    /// How long the interval of advertisements must be steady before it is used.
    ///
    /// A short time is sufficient: advertisements are regular, apart from bursts after an event.
    private static let probation = Duration.seconds(60)

    /// - Parameters:
    ///   - decoder: the decoder, with the configured key.
    ///   - expected: the longest time without an advertisement that is tolerated; nil: the listener learns it.
    package init(_ decoder: AdvertisementDecoder, expected: Duration? = nil) {
        self.decoder = decoder
        self.expected = expected
    }

    package func receive(_ sighting: Sighting, at now: Instant) -> Outcome {
        counters.received += 1
        let advertisement = sighting.advertisement
        if let rssi = advertisement.rssi, strength.map({ now - $0.time >= Self.strengthInterval }) ?? true {
            strength = (rssi, sighting.adapter, now)
        }
        let data = Data(manufacturer: advertisement.manufacturerData, service: advertisement.serviceData)
        if data.manufacturer.isEmpty, data.service.isEmpty { return receivePresence(advertisement, at: now) }
        if let last, last.data == data, now - last.time < Self.lifetime {
            if refusal == nil { accept(at: now) }
            return .nothing
        }
        last = (data, now)
        return decode(advertisement, at: now)
    }

    /// Decodes an advertisement without manufacturer and service data.
    ///
    /// Some devices send only a name or services. Others send the data in a separate advertisement.
    private func receivePresence(_ advertisement: Advertisement, at now: Instant) -> Outcome {
        if refusal == nil { accept(at: now) }
        if last != nil { return .nothing }
        if let lastPresence, now - lastPresence < Self.lifetime { return .nothing }
        lastPresence = now
        guard let contents = try? decoder.decode(advertisement, at: .nanoseconds(now.nanoseconds)) else {
            return .nothing
        }
        return .readings(contents.readings)
    }

    private func decode(_ advertisement: Advertisement, at now: Instant) -> Outcome {
        do throws(AdvertisementError) {
            let contents = try decoder.decode(advertisement, at: .nanoseconds(now.nanoseconds))
            hasDecoded = true
            counters.decoded += 1
            accept(at: now)
            return .readings(contents.readings, refusal: contents.refusal.flatMap { isNew($0, at: now) ? $0 : nil })
        } catch {
            // A device may send advertisements of unknown formats in addition to the decodable ones.
            if error == .repeated || error == .unknown && hasDecoded {
                if refusal == nil { accept(at: now) }
                return .nothing
            }
            counters.refused += 1
            refusal = error
            return isNew(error, at: now) ? .obstacle(error) : .nothing
        }
    }

    private func accept(at now: Instant) {
        refusal = nil
        hasAccepted = true
        graceEnd = nil
        lastAccepted = now
        rhythm.beat(at: now)
    }

    /// Returns whether to report a reason; each advertisement may have the same reason, which is reported once.
    private func isNew(_ error: AdvertisementError, at now: Instant) -> Bool {
        guard let index = obstacles.firstIndex(where: { $0.error.hasSameCause(as: error) }) else {
            obstacles.append((error, now))
            return true
        }
        let last = obstacles[index].time
        obstacles[index].time = now
        return !error.isLasting && now - last >= Self.obstacleMemory
    }

    /// Restarts the measurement of the time without an advertisement when Bluetooth was switched on or off.
    ///
    /// While it is off, the gateway receives no advertisements. A device that was silent before stays silent until it is
    /// heard.
    package func bluetoothChanged(isOn: Bool, at now: Instant) {
        // A change of the adapters while Bluetooth is on does not affect the measurement.
        guard !isOn || bluetoothOffSince != nil else { return }
        let begin = bluetoothOffSince ?? now
        bluetoothOffSince = isOn ? nil : begin
        guard let measured, begin < measured.deadline else { return }
        rhythm.resume(at: now)
        if graceEnd == nil { lastAccepted = now } else { beginGrace(at: now) }
    }

    private func beginGrace(at now: Instant) {
        graceEnd = now + min(tolerance, Self.longestGrace)
    }

    // MARK: Silence

    /// The tolerated time without an advertisement for a device without a steady interval, which may advertise only
    /// after events.
    private static let longestSilence = Duration.seconds(24 * 3600)

    /// The time since the last accepted advertisement.
    ///
    /// Nil if no advertisement was accepted in this run or before, and while the key is the reason that none was accepted
    /// in this run: what an earlier run with another key has decoded does not make the device available.
    package var silence: Silence? { !hasAccepted && refusal?.isAboutKey == true ? nil : measured }

    /// The time since the last accepted advertisement, whichever key was used; nil if none was accepted.
    private var measured: Silence? {
        guard let lastAccepted else { return nil }
        let tolerance = tolerance
        let deadline = max(lastAccepted + tolerance, graceEnd ?? lastAccepted)
        return Silence(begin: lastAccepted, deadline: deadline, end: max(lastAccepted + tolerance * 3, deadline))
    }

    private var tolerance: Duration { expected ?? rhythm.tolerance ?? Self.longestSilence }

    // MARK: Several gateways

    /// The counters of the last encrypted packets, by the name of the format.
    package var packetCounters: [String: UInt64] { decoder.counters }

    /// The time without an advertisement after which another gateway, which reports counters once a minute, knows more.
    private static let followingTime = Duration.seconds(60)

    /// Continues after the encrypted packets that another gateway has accepted; a packet from before is then replayed.
    ///
    /// Does nothing if this gateway has received the device in the last minute: it then knows the counters itself.
    package func follow(counters: [String: UInt64], at now: Instant) {
        if hasAccepted, let lastAccepted, now - lastAccepted < Self.followingTime { return }
        decoder.follow(counters: counters)
    }

    // MARK: Restarts of the program

    /// Restores what an earlier run of the program knew about the advertisements of the device.
    ///
    /// A device that was silent stays so until it is heard. The other devices get some time to be heard, because the
    /// gateway could not receive advertisements between the runs.
    package func restore(_ memory: AdvertiserMemory, at now: Instant) {
        guard lastAccepted == nil else { return }
        lastAccepted = memory.lastAccepted
        rhythm.restore(interval: memory.interval)
        decoder.restore(
            counters: memory.counters, restarts: memory.restarts.mapValues { .nanoseconds($0.nanoseconds) })
        if !memory.isSilent { beginGrace(at: now) }
    }

    /// The maximum of the time that a device gets after a start.
    private static let longestGrace = Duration.seconds(3600)

    /// Returns the memory for the next run of the program.
    ///
    /// - Parameter now: the current time.
    /// - Returns: the memory; nil if no advertisement was accepted in this run or before.
    package func memory(at now: Instant) -> AdvertiserMemory? {
        measured.map { silence in
            AdvertiserMemory(
                lastAccepted: silence.begin, interval: rhythm.interval, isSilent: now >= silence.deadline,
                counters: decoder.counters,
                restarts: decoder.restarts.mapValues { Instant(nanoseconds: 0) + $0 })
        }
    }
}
