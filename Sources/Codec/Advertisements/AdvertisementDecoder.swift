package import Bluetooth
import JSON

/// Decodes the advertisements of one device, and recognizes repeated and replayed packets.
package struct AdvertisementDecoder: Sendable {
    private let address: Address?
    private let key: AdvertisementKey?
    /// The formats of the device from the configuration.
    private let formats: [AdvertisementFormat]
    /// The counter of the last encrypted packet, by the name of the format.
    private var lastCounters: [String: UInt64] = [:]
    /// When a lower counter was last accepted as that of a restarted device, by the name of the format, on the clock of the
    /// calls of `decode`.
    package private(set) var restarts: [String: Duration] = [:]
    /// Whether the device has sent a packet that its key decrypts.
    private var sendsEncrypted = false
    /// How many times a lower counter was accepted.
    package private(set) var restartCount = 0
    /// The number and the time of the last accepted packet, by the name of the format.
    private var lastPackets: [String: (number: Int, time: Duration)] = [:]
    /// The last numbered packets: the bytes, the time of the last reception, and the time of the last decoding.
    private var recentPackets: [(bytes: [UInt8], received: Duration, decoded: Duration)] = []

    /// The manufacturer data of the previous advertisement.
    private var lastManufacturerData: [UInt16: [UInt8]] = [:]

    /// The time during which equal packet numbers mean the same packet.
    private static let packetLifetime = Duration.seconds(4)
    /// The time after the last reception during which equal bytes are the same packet.
    ///
    /// A device repeats an event many times and sends other packets in between. With a longer time, new events of a
    /// device with a constant packet number would be dropped as repetitions.
    private static let repetition = Duration.seconds(10)
    /// The maximum number of stored packets.
    private static let maximumPackets = 8
    /// A lower counter than the previous one is accepted below this number: the device may have restarted.
    private static let restartedCounter = 100
    /// The minimum time between two restarts of a device: another sender could replay the packets after a restart, and
    /// then all later ones.
    private static let restartInterval = Duration.seconds(24 * 3600)

    /// - Parameters:
    ///   - address: The address of the device, which some ciphers need; nil if it is not known.
    ///   - key: The key of the device; nil for a device that does not encrypt.
    ///   - formats: The formats of the configuration; they are tried before the built-in formats.
    package init(address: Address? = nil, key: AdvertisementKey? = nil, formats: [AdvertisementFormat] = []) {
        self.address = address
        self.key = key
        self.formats = formats
    }

    /// The counters of the last encrypted packets, by the name of the format.
    package var counters: [String: UInt64] { lastCounters }

    /// Continues after encrypted packets that another gateway has accepted.
    package mutating func follow(counters: [String: UInt64]) {
        lastCounters.merge(counters) { $1 }
        sendsEncrypted = sendsEncrypted || !counters.isEmpty
    }

    /// Continues after the packets that an earlier decoder has accepted.
    package mutating func restore(counters: [String: UInt64], restarts: [String: Duration]) {
        lastCounters = counters
        self.restarts = restarts
        sendsEncrypted = !counters.isEmpty
    }

    /// Decodes each part of an advertisement with the first format that fits.
    ///
    /// - Parameters:
    ///   - advertisement: The received advertisement.
    ///   - time: The time of reception on a monotonic clock; nil: repeated packets are decoded again.
    /// - Returns: The readings of all parts that can be decoded.
    /// - Throws: `AdvertisementError` if no part can be decoded. Errors of encryption precede the other errors.
    package mutating func decode(
        _ advertisement: Advertisement, at time: Duration? = nil
    ) throws(AdvertisementError) -> AdvertisementContents {
        var readings: [AdvertisementReading] = []
        var failure: AdvertisementError?
        var refusal: AdvertisementError?
        var done: Set<AdvertisementPart> = []
        let mustEncrypt = sendsEncrypted
        defer { lastManufacturerData = advertisement.manufacturerData }
        for format in formats + Advertisements.index.formats(for: advertisement) {
            for (part, bytes) in newest(format.match.candidates(in: advertisement), of: advertisement)
            where !done.contains(part) {
                if part == .presence, !readings.isEmpty || refusal != nil { continue }
                do throws(AdvertisementError) {
                    let reading = try decode(bytes, as: format, at: time)
                    if format.repeatsAddress, !repeatsAddress(reading) { continue }
                    try checkPacket(reading, of: format, at: time)
                    done.insert(part)
                    // The packet contains no known value, so there is no reading.
                    if case .fields(let members) = reading, members.isEmpty { continue }
                    try checkEncryption(of: bytes, format, mustEncrypt)
                    let isRepeated = try checkRepetition(of: bytes, format, at: time)
                    readings.append(
                        AdvertisementReading(
                            format: format.name, reading: reading, isRepeated: isRepeated,
                            product: format.product(in: bytes)))
                } catch {
                    failure = failure ?? error
                    // Any other error is final for this part, although the bytes may also fit another format.
                    if case .undecodable = error { continue }
                    if error != .repeated { refusal = refusal ?? error }
                    done.insert(part)
                }
            }
        }
        if readings.isEmpty { throw refusal ?? failure ?? .unknown }
        return AdvertisementContents(readings: readings, refusal: refusal)
    }

    /// Returns the only candidate that has changed since the previous advertisement.
    ///
    /// If several or none have changed, returns the manufacturer data received last, or all candidates if it is not
    /// among them. Some devices put measurements in the place of the company identifier, and BlueZ still reports the
    /// data of earlier identifiers.
    private func newest(
        _ candidates: [(part: AdvertisementPart, bytes: [UInt8])], of advertisement: Advertisement
    ) -> [(part: AdvertisementPart, bytes: [UInt8])] {
        guard candidates.count > 1 else { return candidates }
        let new = candidates.filter { part, bytes in
            guard case .company(let company) = part, let last = lastManufacturerData[company] else { return true }
            return !bytes.elementsEqual([UInt8(truncatingIfNeeded: company), UInt8(company >> 8)] + last)
        }
        if new.count == 1 { return new }
        let last = candidates.filter { $0.part == advertisement.lastCompany.map(AdvertisementPart.company) }
        return last.isEmpty ? candidates : last
    }

    private mutating func decode(
        _ bytes: [UInt8], as format: AdvertisementFormat, at time: Duration?
    ) throws(AdvertisementError) -> Reading {
        try format.checkValues(in: bytes)
        var plain = bytes
        if let cipher = format.cipher, cipher.applies(to: bytes) {
            plain = try cipher.decrypt(bytes, key: key?.bytes, address: address)
            try checkReplay(cipher.replayNumber(in: bytes), of: format.name, at: time)
            sendsEncrypted = true
        }
        do throws(DecodingError) {
            let reading = try format.format.decode(plain)
            // In an advertisement each quantity is a field with a name, even if there is only one quantity.
            guard case .value(let value, let unit) = reading else { return reading }
            return .fields([Reading.Member(name: format.format.fields[0].name, value: value, unit: unit)])
        } catch {
            throw .undecodable(error)
        }
    }

    /// Rejects an unencrypted packet of a device that encrypts: any other device could send it under the same address.
    ///
    /// The formats of the configuration are exempt. Packets of every built-in format are checked: an attacker chooses
    /// the format. `mustEncrypt` is whether an earlier advertisement of the device was encrypted.
    private func checkEncryption(
        of bytes: [UInt8], _ format: AdvertisementFormat, _ mustEncrypt: Bool
    ) throws(AdvertisementError) {
        guard key != nil, mustEncrypt || format.requiresEncryption, format.name != AdvertisementFormat.own,
            format.cipher?.applies(to: bytes) != true
        else { return }
        throw .notEncrypted
    }

    /// Returns whether the address in a reading is the address of the device; true if the device's address is not
    /// known.
    private func repeatsAddress(_ reading: Reading) -> Bool {
        guard let address else { return true }
        if case .string(let repeated) = reading[field: "mac"] { return Address(repeated) == address }
        guard case .bytes(let end) = reading[field: "mac_end"] else { return true }
        return address.bytes.suffix(end.count).elementsEqual(end)
    }

    /// Rejects an encrypted packet with a lower counter than the previous packet.
    ///
    /// An equal counter is accepted: it is a repetition of the same packet. A low counter is accepted once a day: the
    /// device counts from the beginning after a change of its batteries.
    private mutating func checkReplay(
        _ counter: UInt64?, of format: String, at time: Duration?
    ) throws(AdvertisementError) {
        guard let counter else { return }
        if let last = lastCounters[format], counter < last {
            guard counter < Self.restartedCounter else { throw .replayed }
            if let time {
                if let restart = restarts[format], time - restart < Self.restartInterval { throw .replayed }
                restarts[format] = time
            }
            restartCount += 1
        }
        lastCounters[format] = counter
    }

    /// Rejects a packet whose packet number is not new.
    ///
    /// A number is new if it is 1 to 63 greater than the last number, modulo 256.
    private mutating func checkPacket(
        _ reading: Reading, of format: AdvertisementFormat, at time: Duration?
    ) throws(AdvertisementError) {
        guard let time, let field = format.packetNumber, case .number(let decimal) = reading[field: field],
            let number = decimal.integer
        else { return }
        if let last = lastPackets[format.name], time - last.time <= Self.packetLifetime,
            !(1...63).contains((number - last.number) & 0xFF)
        {
            throw .repeated
        }
        lastPackets[format.name] = (number, time)
    }

    /// Returns whether a numbered packet was received before; rejects a packet decoded less than `packetLifetime` ago.
    private mutating func checkRepetition(
        of bytes: [UInt8], _ format: AdvertisementFormat, at time: Duration?
    ) throws(AdvertisementError) -> Bool {
        guard let time, format.hasPacketNumbers else { return false }
        recentPackets.removeAll { time - $0.received > Self.repetition }
        guard let index = recentPackets.firstIndex(where: { $0.bytes == bytes }) else {
            recentPackets.append((bytes, time, time))
            if recentPackets.count > Self.maximumPackets { recentPackets.removeFirst() }
            return false
        }
        recentPackets[index].received = time
        if time - recentPackets[index].decoded < Self.packetLifetime { throw .repeated }
        recentPackets[index].decoded = time
        return true
    }
}
