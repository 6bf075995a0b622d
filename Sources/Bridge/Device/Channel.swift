internal import BlueZ
internal import Bluetooth
internal import Codec
internal import Configuration
internal import EventLoop

/// One configured characteristic at work: what its bytes mean, where its readings go, where it is on the device.
final class Channel {
    // First what each value touches: memory comes to the processor by the line (measured: README).
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
    var rhythm: Rhythm
    let configuration: Configuration.Characteristic
    /// What may be done with it by its flags; nil until it has been seen.
    private(set) var abilities: CharacteristicProperties?
    /// What has come of a reading that comes in parts.
    private var parts = ReadingParts()

    init(_ configuration: Configuration.Characteristic, _ publication: Publication) {
        self.configuration = configuration
        self.publication = publication
        format = configuration.meaning
        rhythm = Rhythm(configuration)
    }

    var name: String { configuration.name }

    /// The device says what the bytes mean, as nobody else has.
    func describe(_ format: Format) {
        self.format = format
    }

    /// Whether a value of `characteristic` is one of its own.
    func isOf(_ characteristic: BlueZ.Characteristic) -> Bool {
        self.characteristic == characteristic
    }

    /// Publishes a reading that was received just now, by the rules of its configuration.
    func publish(_ received: ReceivedReading, _ connect: Configuration.ConnectPolicy, at now: Instant) {
        rhythm.beat(at: now)
        publication.take(received, expiry: configuration.expiry(connect, rhythm), at: now)
    }

    /// What bytes mean: by the format, else the bytes themselves; nil for a part of a reading that is not the last.
    func decode(_ bytes: Span<UInt8>) throws(DecodingError) -> Reading? {
        let reading = try format?.decode(bytes) ?? .value(.bytes([UInt8](bytes)), unit: nil)
        if let format, format.isInParts { return parts.join(reading, isLast: !format.announcesMore(bytes)) }
        guard let unit = configuration.unit, case .value(let value, _) = reading else { return reading }
        return .value(value, unit: unit)
    }
}
