import BlueZ
import Bluetooth
import Codec
import Configuration
import Contract
import Devices
import EventLoop
import System

/// A configured characteristic at run time: its format, its attribute on the device and the topic of its readings.
final class CharacteristicBinding {
    // The properties that are used for each value come first: a processor loads memory by the cache line (measured:
    // Tests/Benchmark/README.md).
    /// The format of the bytes; nil if neither the configuration nor the SIG nor the device defines it.
    private(set) var format: Format?
    /// Whether a reading is what the format decodes, without further rules.
    private var isPlain = true
    /// Publishes the readings.
    let publication: Publication
    /// The discovered characteristic; nil before a discovery, without a connection, or if the device lacks the
    /// characteristic.
    private(set) var characteristic: BlueZ.Characteristic?
    private(set) var rhythm: Rhythm
    private let expiryRule: ExpiryRule
    let configuration: Configuration.Characteristic
    /// The properties that the device announced; nil before the first discovery.
    private(set) var properties: CharacteristicProperties?
    /// The services of the discovered characteristics among which the configuration does not decide, in their order;
    /// empty: the choice is clear.
    private(set) var candidates: [UUID] = []
    /// The received parts of a reading that arrives in several notifications.
    private var parts = ReadingParts()
    private var failures = FailureReports()
    /// The last value that was received, or that the device has accepted; kept only if a command can change parts of it.
    private(set) var lastValue: Value?
    /// Whether ``lastValue`` is of the present connection.
    private(set) var isLastValueCurrent = false

    /// Whether the values are the state of another characteristic, which a command can change in parts.
    private let isState: Bool
    /// Called with each value, if records of a history belong to the values; nil: there is no such history.
    private let onValue: (() -> Void)?
    /// Whether the publication belongs to this binding, and not to another one with the same name in topics.
    let ownsPublication: Bool

    init(
        _ configuration: Configuration.Characteristic, of device: Configuration.Device, _ publication: Publication,
        isState: Bool = false, ownsPublication: Bool = true, onValue: (() -> Void)? = nil
    ) {
        self.configuration = configuration
        self.isState = isState
        self.ownsPublication = ownsPublication
        self.onValue = onValue
        self.publication = publication
        format = configuration.meaning
        rhythm = Rhythm(configuration)
        expiryRule = ExpiryRule(configuration, device.settings)
        isPlain = decodesPlainly
    }

    private var decodesPlainly: Bool {
        configuration.valid == nil && configuration.unit == nil && format?.isInParts != true && !keepsLastValue
            && onValue == nil
    }

    /// Whether a command can change a part of the value, or of the value whose state this is.
    private var keepsLastValue: Bool {
        isState || configuration.write != nil && format?.hasOneValue == false
    }

    var name: String { configuration.name }

    /// Whether values of `characteristic` belong to this binding.
    func isBound(to characteristic: BlueZ.Characteristic) -> Bool {
        self.characteristic == characteristic
    }

    /// Binds the configuration to a discovered characteristic; nil removes the binding.
    func bind(to characteristic: BlueZ.Characteristic?) {
        self.characteristic = characteristic
        isLastValueCurrent = false
        properties = characteristic?.properties ?? properties
        parts = ReadingParts()
    }

    /// Whether the device has the characteristic several times, and the configuration does not decide among them.
    var isAmbiguous: Bool { !candidates.isEmpty }

    /// Notes the services of the discovered characteristics among which the configuration does not decide.
    ///
    /// - Returns: Whether there are several, which was not known before.
    func noteCandidates(_ services: [UUID]) -> Bool {
        let old = candidates
        candidates = services.count < 2 ? [] : services
        return !candidates.isEmpty && candidates != old
    }

    /// Sets the format that the device's own descriptors define.
    func describe(_ format: Format) {
        self.format = format
        isPlain = decodesPlainly
    }

    /// Notes a value that the device has accepted.
    func noteWritten(_ value: Value) {
        if keepsLastValue { (lastValue, isLastValueCurrent) = (value, true) }
    }

    /// Restarts the measurement of the time without a value when a connection is ready.
    func resume(at now: Instant) {
        rhythm.resume(at: now)
    }

    /// Publishes a reading that has just arrived, according to the rules of the configuration.
    ///
    /// - Parameters:
    ///   - received: The reading.
    ///   - now: When the value arrived.
    func publish(_ received: ReceivedReading, at now: Instant) {
        rhythm.beat(at: now)
        publication.take(received, expiry: expiry, at: now)
    }

    /// The time after which a reading of now expires; nil: never.
    var expiry: Duration? { expiryRule.expiry(rhythm) }

    /// Counts a value that does not fit the format.
    ///
    /// - Returns: The number of such values to report; nil: no report is due.
    func noteFailure(at now: Instant) -> Int? {
        failures.note(at: now)
    }

    /// Returns the decoded reading; nil if the bytes are a part of a reading and more parts follow.
    ///
    /// Without a format, the reading is a byte string.
    ///
    /// - Throws: `DecodingError` if the bytes do not fit the format, or if the key `valid` rejects the reading.
    func decode(_ bytes: Span<UInt8>) throws(DecodingError) -> Reading? {
        let reading = try format?.decode(bytes) ?? .value(.bytes([UInt8](bytes)), unit: nil)
        return isPlain ? reading : try completed(reading, bytes)
    }

    /// Applies the rules of the configuration to a decoded reading.
    private func completed(_ reading: Reading, _ bytes: Span<UInt8>) throws(DecodingError) -> Reading? {
        if let valid = configuration.valid { try reading.check(valid, in: format) }
        if let format, format.isInParts { return parts.join(reading, isLast: !format.announcesMore(bytes)) }
        if keepsLastValue { (lastValue, isLastValueCurrent) = (reading.value, true) }
        onValue?()
        return withUnit(reading)
    }

    /// Returns a reading with the configured unit of its only value.
    @inline(__always)
    func withUnit(_ reading: Reading) -> Reading {
        guard let unit = configuration.unit, case .value(let value, _) = reading else { return reading }
        return .value(value, unit: unit)
    }
}
