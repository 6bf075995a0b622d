import Codec
import Configuration
import Contract
import Devices
import EventLoop
import MQTT
import System

/// The corrected and derived values of one device: the keys `adjust` and `derive`.
///
/// All readings of one packet have the same time.
final class CalculatedValues {
    private var calculator: ValueCalculator
    /// The publications of the derived values.
    let publications: [Publication]
    private let derivedValues: [Configuration.DerivedValue]

    /// - Returns: nil if the configuration has neither corrections nor derived values.
    /// - Throws: `TopicError` if a name cannot be part of a topic.
    init?(_ configuration: Configuration.Device, _ publisher: Publisher, loop: EventLoop) throws(TopicError) {
        derivedValues = configuration.derivedValues
        guard !configuration.adjustments.isEmpty || !derivedValues.isEmpty else { return nil }
        calculator = ValueCalculator(configuration.adjustments, derivedValues)
        var publications: [Publication] = []
        for value in derivedValues {
            publications.append(
                try Publication(
                    value.name, of: configuration.name, isRetained: true,
                    keep: value.publish.keep ?? configuration.keep, value.publish, publisher, loop: loop))
        }
        self.publications = publications
    }

    /// Returns the readings of a packet with corrected values.
    func corrected(_ packet: [ValueCalculator.NamedReading]) -> [ValueCalculator.NamedReading] {
        calculator.corrected(packet)
    }

    /// Returns the corrected readings of a packet of the past, and the values that are derived from them.
    func past(_ packet: [ValueCalculator.NamedReading]) -> [ValueCalculator.NamedReading] {
        let corrected = calculator.corrected(packet)
        return corrected + calculator.derived(fromOnly: corrected)
    }

    /// Publishes or keeps the derived values that a packet changes.
    ///
    /// - Parameters:
    ///   - packet: The corrected readings.
    ///   - time: The time of the packet.
    ///   - expiry: The time after which the values expire; nil: never.
    ///   - now: The same time on the clock of the loop.
    ///   - delivery: The way of the values.
    func publish(
        derivedFrom packet: [ValueCalculator.NamedReading], _ time: Timestamp, expiry: Duration?, at now: Instant,
        _ delivery: ReadingDelivery = .publish
    ) {
        for value in calculator.derive(from: packet, at: now) {
            guard let publication = publications.first(where: { $0.name == value.name }) else { continue }
            let received = ReceivedReading(reading: value.reading, time: time, value.marks)
            delivery.deliver(received, by: publication, expiry: expiry, at: now)
        }
    }

    /// The derived values for `PREFIX/DEVICE/info`.
    var info: [DeviceInfo.Field] {
        derivedValues.map { DeviceInfo.Field(name: $0.name, unit: $0.unit) }
    }
}
