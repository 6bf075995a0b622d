internal import BlueZ
internal import Bluetooth
internal import Codec
internal import Configuration
internal import EventLoop

/// One configured characteristic at work: what its bytes mean, where its readings go, where it is on the device.
struct Channel {
    let configuration: Configuration.Characteristic
    /// What its bytes mean; nil where nobody has said.
    private(set) var format: Format?
    /// Where its readings go.
    let publication: Publication
    /// Where it is; nil while there is no link, or when the device does not have it.
    var characteristic: BlueZ.Characteristic? {
        didSet {
            abilities = characteristic?.properties ?? abilities
            parts = ReadingParts()
        }
    }
    /// What may be done with it by its flags; nil until it has been seen.
    private(set) var abilities: CharacteristicProperties?
    /// What has come of a reading that comes in parts.
    private var parts = ReadingParts()
    var rhythm: Rhythm

    init(_ configuration: Configuration.Characteristic, _ publication: Publication) {
        self.configuration = configuration
        self.publication = publication
        format = configuration.meaning
        rhythm = Rhythm(configuration)
    }

    var name: String { configuration.name }

    /// The device says what the bytes mean, of which nobody else has.
    mutating func describe(_ format: Format) {
        self.format = format
    }

    /// Publishes a reading that was received just now, by the rules of its configuration.
    mutating func publish(_ received: ReceivedReading, of device: Configuration.Device, at now: Instant) {
        rhythm.beat(at: now)
        publication.take(received, expiry: configuration.expiry(device.connect, rhythm))
    }

    /// What bytes mean: by the format, else the bytes themselves; nil for a part of a reading that is not the last.
    mutating func decode(_ bytes: Span<UInt8>) throws(DecodingError) -> Reading? {
        let reading = try format?.decode(bytes) ?? .value(.bytes([UInt8](bytes)), unit: nil)
        if let format, format.isInParts { return parts.join(reading, isLast: !format.announcesMore(bytes)) }
        guard let unit = configuration.unit, case .value(let value, _) = reading else { return reading }
        return .value(value, unit: unit)
    }
}

/// A reading, and when the gateway received it.
struct ReceivedReading {
    let reading: Reading
    let time: Timestamp

    /// What goes out (contract, part 5).
    func payload(_ style: Configuration.PublishRules.Payload) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(128)
        switch style {
        case .json: appendJSON(to: &text)
        case .value: appendValue(to: &text)
        }
        return text
    }

    private func appendJSON(to text: inout [UInt8]) {
        text.append(UInt8(ascii: "{"))
        switch reading {
        case .value: reading.forEachMember { append($0, $1, to: &text) }
        case .fields: for member in reading.payload.members { append(member.name, member.value, to: &text) }
        }
        text += "\"time\":\"".utf8
        time.append(to: &text)
        text += "\"}".utf8
    }

    private func append(_ name: String, _ value: Value, to text: inout [UInt8]) {
        guard name != "time" else { return }
        value.append(named: name, to: &text)
        text.append(UInt8(ascii: ","))
    }

    private func appendValue(to text: inout [UInt8]) {
        switch reading.value {
        case .string(let string), .named(let string, _): text += string.utf8
        case .bytes(let bytes): text += bytes.hexadecimal.utf8
        case let value: value.append(to: &text)
        }
    }

    /// What a response carries.
    var record: Record {
        var record = reading.payload
        record["time"] = .string(time.description)
        return record
    }
}
