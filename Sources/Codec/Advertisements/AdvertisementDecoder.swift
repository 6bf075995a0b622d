package import Bluetooth

/// Decodes the advertisements of one device, and recognizes repeated and replayed packets.
package struct AdvertisementDecoder: Sendable {
    private let address: Address?
    private let key: AdvertisementKey?
    /// The formats of the configuration.
    private let formats: [AdvertisementFormat]
    /// The last counter of encrypted packets, by format.
    private var lastCounters: [String: UInt64] = [:]
    /// The last packet numbers and their times, by format.
    private var lastPackets: [String: (number: Int, time: Duration)] = [:]
    /// The last numbered packets: their bytes, the time of the last reception and the time of the last reading.
    private var recentPackets: [(bytes: [UInt8], received: Duration, decoded: Duration)] = []

    /// The manufacturer data of the previous advertisement.
    private var lastManufacturerData: [UInt16: [UInt8]] = [:]

    /// The time during which equal packet numbers mean the same packet.
    private static let packetLifetime = Duration.seconds(4)
    /// The time after the last reception during which equal bytes are the same packet.
    ///
    /// A device repeats an event many times and sends other packets in between. A longer time would hide events of a
    /// device that never counts.
    private static let repetition = Duration.seconds(10)
    /// The maximum number of packets to remember.
    private static let maximumPackets = 8
    /// Counters below this number have restarted, for example after a change of batteries.
    private static let restartedCounter = 100

    /// - Parameters:
    ///   - address: The address of the device; some ciphers need it.
    ///   - key: The key of the device, if it encrypts.
    ///   - formats: The formats of the configuration; they come before the formats that the program knows.
    package init(address: Address? = nil, key: AdvertisementKey? = nil, formats: [AdvertisementFormat] = []) {
        self.address = address
        self.key = key
        self.formats = formats
    }

    /// Decodes each part of an advertisement with the first format that fits.
    ///
    /// - Parameters:
    ///   - advertisement: The received advertisement.
    ///   - time: The time of reception, on any clock; without it repeated packets are decoded again.
    /// - Returns: The readings of all parts that can be read.
    /// - Throws: `AdvertisementError` if no part can be read, with the reason of the first part.
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
                    // No value is known, so there is nothing to report.
                    if case .fields(let members) = reading, members.isEmpty { continue }
                    let isRepeated = try checkRepetition(of: bytes, format, at: time)
                    readings.append(
                        AdvertisementReading(format: format.name, reading: reading, isRepeated: isRepeated))
                } catch {
                    failure = failure ?? error
                    // An error about the key is final, although the bytes may also fit another format.
                    if case .undecodable = error { continue }
                    if error != .repeated { refusal = refusal ?? error }
                    done.insert(part)
                }
            }
        }
        if readings.isEmpty { throw refusal ?? failure ?? .unknown }
        return AdvertisementContents(readings: readings, refusal: refusal)
    }

    /// Returns the manufacturer data that is new since the previous advertisement, or else the data received last.
    ///
    /// Some devices put measurements in the place of the company identifier, and BlueZ keeps the data of earlier
    /// identifiers.
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
        } else if key != nil, format.requiresEncryption {
            throw .notEncrypted
        }
        do throws(DecodingError) {
            let reading = try format.format.decode(plain)
            // In an advertisement each quantity is a field with a name, even if it is the only one.
            guard case .value(let value, let unit) = reading else { return reading }
            return .fields([Reading.Member(name: format.format.fields[0].name, value: value, unit: unit)])
        } catch {
            throw .undecodable(error)
        }
    }

    /// Returns whether the address in a reading is the address of the device; true if the device's address is not
    /// known.
    private func repeatsAddress(_ reading: Reading) -> Bool {
        guard let address else { return true }
        if case .string(let repeated) = reading.value["mac"] { return Address(repeated) == address }
        guard case .bytes(let end) = reading.value["mac_end"] else { return true }
        return address.bytes.suffix(end.count).elementsEqual(end)
    }

    /// Rejects an encrypted packet with an older counter.
    ///
    /// An equal counter is a repetition of the same packet.
    private mutating func checkReplay(_ counter: UInt64?, of format: String) throws(AdvertisementError) {
        guard let counter else { return }
        if let last = lastCounters[format], counter < last, counter >= Self.restartedCounter { throw .replayed }
        lastCounters[format] = counter
    }

    /// Rejects a packet that was decoded before.
    ///
    /// Packet numbers wrap around; the next 63 numbers count as new.
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

    /// Returns whether a numbered packet was received before; rejects it if it was decoded within `packetLifetime`.
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

extension Value {
    /// The member of a record; nil for any other value.
    fileprivate subscript(name: String) -> Value? {
        if case .record(let record) = self { record[name] } else { nil }
    }
}
