package import Bluetooth

/// Reads the advertisements of one device, and remembers what it has to in order to know an old one.
package struct AdvertisementDecoder: Sendable {
    private let address: Address?
    private let key: AdvertisementKey?
    /// The user's own.
    private let formats: [AdvertisementFormat]
    /// The last counter of encrypted packets, by format.
    private var lastCounters: [String: UInt64] = [:]
    /// The last packet numbers and when they came, by format.
    private var lastPackets: [String: (number: Int, time: Duration)] = [:]
    /// The last packets that were numbered: their bytes, when they were heard, and when they were read.
    private var heardPackets: [(bytes: [UInt8], heard: Duration, read: Duration)] = []

    /// The data of companies in the advertisement before.
    private var lastManufacturerData: [UInt16: [UInt8]] = [:]

    /// How long a packet number stands for the same packet.
    private static let packetLifetime = Duration.seconds(4)
    /// So long after it was last heard equal bytes are the same packet: a device sends what happened many times, and
    /// others in between. Not longer, as there may be one that never counts.
    private static let repetition = Duration.seconds(10)
    /// Of no more packets is it remembered that they were heard.
    private static let mostPackets = 8
    /// A counter below this is one that began anew, after a change of batteries.
    private static let restartedCounter = 100

    /// - Parameters:
    ///   - address: The device's, which some ciphers need.
    ///   - key: The device's, where it encrypts.
    ///   - formats: The user's own, which come before those that this release knows.
    package init(address: Address? = nil, key: AdvertisementKey? = nil, formats: [AdvertisementFormat] = []) {
        self.address = address
        self.key = key
        self.formats = formats
    }

    /// What the parts of an advertisement say: for each the first format that fits.
    ///
    /// Throws if there is no such part, or if none can be read; then the reason of the first.
    /// - Parameter time: When it was received, on any clock; without it repeated packets are read again.
    package mutating func decode(
        _ advertisement: Advertisement, at time: Duration? = nil
    ) throws(AdvertisementError) -> AdvertisementContents {
        var readings: [AdvertisementReading] = []
        var failure: AdvertisementError?
        var refusal: AdvertisementError?
        var done: Set<AdvertisementPart> = []
        defer { lastManufacturerData = advertisement.manufacturerData }
        for format in formats + Advertisements.index.formats(for: advertisement) {
            for (part, bytes) in newest(format.match.candidates(in: advertisement), of: advertisement)
            where !done.contains(part) {
                if part == .presence, !readings.isEmpty || refusal != nil { continue }
                do throws(AdvertisementError) {
                    let reading = try decode(bytes, as: format)
                    if format.repeatsAddress, !repeatsAddress(reading) { continue }
                    try checkPacket(reading, of: format, at: time)
                    done.insert(part)
                    // Nothing of it is known, or it says nothing.
                    if case .fields(let members) = reading, members.isEmpty { continue }
                    let isRepeated = try checkRepetition(of: bytes, format, at: time)
                    readings.append(
                        AdvertisementReading(format: format.name, reading: reading, isRepeated: isRepeated))
                } catch {
                    failure = failure ?? error
                    // What is said of a key holds, whatever else the bytes might look like.
                    if case .undecodable = error { continue }
                    if error != .repeated { refusal = refusal ?? error }
                    done.insert(part)
                }
            }
        }
        if readings.isEmpty { throw refusal ?? failure ?? .unknown }
        return AdvertisementContents(readings: readings, refusal: refusal)
    }

    /// Of the data of several companies in which a device can have put its measurements, those that are new, or else
    /// the last: BlueZ keeps what came under other identifiers before.
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
        _ bytes: [UInt8], as format: AdvertisementFormat
    ) throws(AdvertisementError) -> Reading {
        var plain = bytes
        if let cipher = format.cipher, cipher.applies(to: bytes) {
            plain = try cipher.decrypt(bytes, key: key?.bytes, address: address)
            try checkReplay(cipher.replayNumber(in: bytes), of: format.name)
        } else if key != nil, format.refusesPlain {
            throw .notEncrypted
        }
        do throws(DecodingError) {
            let reading = try format.format.decode(plain)
            // Each quantity has its name here, even if it is the only one.
            guard case .value(let value, let unit) = reading else { return reading }
            return .fields([Reading.Member(name: format.format.fields[0].name, value: value, unit: unit)])
        } catch {
            throw .undecodable(error)
        }
    }

    /// Whether the address in a reading is the device's, as far as that is known.
    private func repeatsAddress(_ reading: Reading) -> Bool {
        guard let address else { return true }
        if case .string(let repeated) = reading.value["mac"] { return Address(repeated) == address }
        guard case .bytes(let end) = reading.value["mac_end"] else { return true }
        return address.bytes.suffix(end.count).elementsEqual(end)
    }

    /// Refuses an encrypted packet whose counter went back; an equal one is the same packet once more.
    private mutating func checkReplay(_ counter: UInt64?, of format: String) throws(AdvertisementError) {
        guard let counter else { return }
        if let last = lastCounters[format], counter < last, counter >= Self.restartedCounter { throw .replayed }
        lastCounters[format] = counter
    }

    /// Refuses a packet that was read before: numbers go round, and the next 63 are new ones.
    private mutating func checkPacket(
        _ reading: Reading, of format: AdvertisementFormat, at time: Duration?
    ) throws(AdvertisementError) {
        guard let time, let field = format.packetNumber, case .number(let decimal) = reading.value[field],
            let number = decimal.integer
        else { return }
        if let last = lastPackets[format.name], time - last.time <= Self.packetLifetime,
            !(1...63).contains((number - last.number) & 0xFF)
        {
            throw .repeated
        }
        lastPackets[format.name] = (number, time)
    }

    /// Whether a packet with a number of its own was heard before; refuses it if it was just read.
    private mutating func checkRepetition(
        of bytes: [UInt8], _ format: AdvertisementFormat, at time: Duration?
    ) throws(AdvertisementError) -> Bool {
        guard let time, format.numbersPackets else { return false }
        heardPackets.removeAll { time - $0.heard > Self.repetition }
        guard let index = heardPackets.firstIndex(where: { $0.bytes == bytes }) else {
            heardPackets.append((bytes, time, time))
            if heardPackets.count > Self.mostPackets { heardPackets.removeFirst() }
            return false
        }
        heardPackets[index].heard = time
        if time - heardPackets[index].read < Self.packetLifetime { throw .repeated }
        heardPackets[index].read = time
        return true
    }
}

extension Value {
    /// A member of a record; nil for anything else.
    fileprivate subscript(name: String) -> Value? {
        if case .record(let record) = self { record[name] } else { nil }
    }
}
