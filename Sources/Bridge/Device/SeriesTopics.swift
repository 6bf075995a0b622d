import Configuration
import Contract
import Devices
import EventLoop
import Log
import MQTT
import System

/// The answers to questions that are asked once for each number: each number has a topic, such as `pack_2`.
final class SeriesTopics {
    private struct Series {
        let characteristic: Configuration.Characteristic
        var publications: [Int: Publication] = [:]
        /// Whether the log has reported a number without a topic.
        var isReported = false
    }

    private let configuration: Configuration.Device
    private let output: DevicePublisher
    private let loop: EventLoop
    /// The series, by the name of the entry.
    private var series: [String: Series]

    /// - Returns: nil if the device has no question with `each` whose answers are values.
    init?(_ configuration: Configuration.Device, _ output: DevicePublisher, loop: EventLoop) {
        self.configuration = configuration
        self.output = output
        self.loop = loop
        let entries = configuration.characteristics.filter(\.isNumbered)
        guard !entries.isEmpty else { return nil }
        series = Dictionary(entries.map { ($0.name, Series(characteristic: $0)) }) { first, _ in first }
    }

    /// The numbers with a topic, by the name of the entry.
    var numbers: [String: [Int]] {
        series.mapValues { $0.publications.keys.sorted() }.filter { !$0.value.isEmpty }
    }

    var publications: [Publication] { series.values.flatMap(\.publications.values) }

    /// Makes the topics of the numbers that an earlier run has published.
    func start(known: [String: [Int]]) {
        for (name, numbers) in known {
            for number in numbers { _ = publication(name, number) }
        }
    }

    /// Publishes an answer.
    ///
    /// - Parameters:
    ///   - received: The reading.
    ///   - binding: The entry.
    ///   - number: The number of the question.
    ///   - now: When the answer arrived.
    /// - Returns: Whether the number has a new topic.
    func publish(
        _ received: ReceivedReading, of binding: CharacteristicBinding, _ number: Int, at now: Instant
    ) -> Bool {
        let isNew = series[binding.name]?.publications[number] == nil
        guard let publication = publication(binding.name, number) else { return false }
        publication.take(received, expiry: binding.expiry, at: now)
        return isNew
    }

    /// Returns the publication of a number; nil if it cannot have a topic.
    private func publication(_ name: String, _ number: Int) -> Publication? {
        guard let entry = series[name] else { return nil }
        if let known = entry.publications[number] { return known }
        let most = Configuration.Question.Series.mostNumbers
        guard entry.publications.count < most else {
            report("\(number): the maximum is \(most) numbers", name)
            return nil
        }
        let characteristic = entry.characteristic
        do throws(TopicError) {
            let publication = try Publication(
                characteristic.topicName(ofNumber: number), of: configuration.name, isRetained: characteristic.retain,
                qos: characteristic.qos, keep: characteristic.keep ?? configuration.keep, characteristic.publish,
                output.publisher, loop: loop)
            series[name]?.publications[number] = publication
            return publication
        } catch {
            report("\(error)", name)
            return nil
        }
    }

    /// Logs once for each entry that a number is not published.
    private func report(_ reason: String, _ name: String) {
        guard series[name]?.isReported == false else { return }
        series[name]?.isReported = true
        output.log.warning("\(name): an answer is not published: \(reason)")
    }
}
