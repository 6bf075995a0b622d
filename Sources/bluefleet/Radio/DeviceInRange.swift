internal import BlueZ
internal import Bluetooth
internal import Codec
internal import EventLoop

/// A device that is heard, and what its advertisements have said so far.
struct DeviceInRange {
    let address: Address
    private(set) var kind: AddressKind
    private(set) var adapter: String
    private(set) var advertisement: Advertisement
    private(set) var lastHeard: Instant
    private(set) var time: Timestamp
    /// The latest reading of each format.
    private(set) var readings: [AdvertisementReading] = []
    /// Why what it says cannot be read.
    private(set) var obstacle: AdvertisementError?
    private var decoder: AdvertisementDecoder

    init(_ sighting: Sighting, at now: Instant, _ time: Timestamp) {
        address = sighting.address
        kind = sighting.kind
        adapter = sighting.adapter
        advertisement = sighting.advertisement
        lastHeard = now
        self.time = time
        decoder = AdvertisementDecoder(address: sighting.address)
        decode(sighting.advertisement)
    }

    /// It was heard again.
    mutating func update(_ sighting: Sighting, at now: Instant, _ time: Timestamp) {
        kind = sighting.kind
        adapter = sighting.adapter
        lastHeard = now
        self.time = time
        let packet = sighting.advertisement
        advertisement.localName = packet.localName ?? advertisement.localName
        if !packet.serviceUUIDs.isEmpty { advertisement.serviceUUIDs = packet.serviceUUIDs }
        advertisement.rssi = packet.rssi ?? advertisement.rssi
        advertisement.manufacturerData.merge(packet.manufacturerData) { $1 }
        advertisement.serviceData.merge(packet.serviceData) { $1 }
        decode(packet)
    }

    private mutating func decode(_ packet: Advertisement) {
        guard !packet.manufacturerData.isEmpty || !packet.serviceData.isEmpty else { return }
        do throws(AdvertisementError) {
            for reading in try decoder.decode(packet) {
                readings.removeAll { $0.format == reading.format }
                readings.append(reading)
            }
            obstacle = nil
        } catch {
            obstacle = error
        }
    }
}

extension DeviceInRange {
    /// For programs: what the packets carried, and what it means.
    var record: Record {
        var record = Record([
            ("address", .string("\(address)")), ("kind", .string(kind.rawValue)), ("adapter", .string(adapter)),
        ])
        record["name"] = advertisement.localName.map { .string($0) } ?? .null
        record["rssi"] = advertisement.rssi.map { .number(Decimal($0)) } ?? .null
        record["last_heard"] = .string(time.description)
        record["services"] = .list(advertisement.serviceUUIDs.map { .string("\($0)") })
        record["manufacturer_data"] = .record(
            Record(
                advertisement.manufacturerData.sorted { $0.key < $1.key }.map {
                    (String($0.key, radix: 16, uppercase: true), .string($0.value.hexadecimal))
                }))
        record["service_data"] = .record(
            Record(
                advertisement.serviceData.sorted { $0.key < $1.key }.map {
                    ("\($0.key)", .string($0.value.hexadecimal))
                }))
        record["readings"] = .record(Record(readings.map { ($0.format, .record($0.reading.payload)) }))
        return record
    }

    /// For people: a line, and below it what else is known, in 80 columns.
    func lines(at now: Instant) -> [String] {
        let strength = advertisement.rssi.map { "\($0) dBm" } ?? ""
        let name = advertisement.localName?.printable ?? ""
        let columns = [
            "\(address)", kind.rawValue.padded(to: 6), strength.padded(to: 8), (now - lastHeard).age.padded(to: 5),
            Style.bold(name.cut(to: 37)),
        ]
        let first = columns.joined(separator: "  ").trimmingTrailingSpaces
        return [first] + details.flatMap { Paragraph($0).lines(indent: 19) }
    }

    private var details: [String] {
        var details: [String] = []
        if !advertisement.serviceUUIDs.isEmpty {
            details.append(advertisement.serviceUUIDs.map(AssignedNumbers.services.label).joined(separator: ", "))
        }
        for reading in readings {
            let text = reading.reading.text.split(separator: "\n").map { $0.words.joined(separator: " ") }
            details.append("\(reading.format): \(text.joined(separator: ", "))")
        }
        switch obstacle {
        case nil, .unknown, .repeated: break
        case .noKey: details.append("encrypted: its key is needed to read it")
        case let obstacle?: details.append("\(obstacle)")
        }
        if readings.isEmpty, obstacle == .unknown {
            let makers = advertisement.manufacturerData.keys.sorted().map { "0x\(String($0, radix: 16))" }
            if !makers.isEmpty { details.append("data of company \(makers.joined(separator: ", "))") }
        }
        return details
    }
}

extension Substring {
    /// What stands between its spaces.
    fileprivate var words: [Substring] { split(separator: " ") }
}
