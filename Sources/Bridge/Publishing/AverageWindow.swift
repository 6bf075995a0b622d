import Configuration
import Contract
import Devices
import EventLoop
import System

/// The readings of one topic until the end of their window of the wall clock; used only on the event loop's thread.
final class AverageWindow {
    private var averager: Averager
    /// The newest reading; nil before the first.
    private var newest: ReceivedReading?
    private var timer: Timer?
    private let loop: EventLoop
    private let publish: (ReceivedReading) -> Void

    /// - Parameters:
    ///   - rule: The duration of the windows and the method.
    ///   - loop: The event loop.
    ///   - publish: Called with the average at the end of each window that has readings.
    init(
        _ rule: Configuration.PublishRules.Average, loop: EventLoop, publish: @escaping (ReceivedReading) -> Void
    ) {
        averager = Averager(rule)
        self.loop = loop
        self.publish = publish
    }

    deinit { timer?.cancel() }

    func add(_ received: ReceivedReading) {
        averager.add(received.reading)
        newest = received
        guard timer == nil else { return }
        timer = loop.schedule(after: averager.rest(of: loop.timestamp)) { [unowned self] in end() }
    }

    /// Ends the window now, and publishes the average of the readings that it has.
    func end() {
        timer?.cancel()
        timer = nil
        guard let newest, let average = averager.take() else { return }
        let marks = ReadingMarks(
            adjusted: newest.marks?.adjusted, isDerived: newest.marks?.isDerived ?? false, samples: average.samples)
        publish(ReceivedReading(reading: average.reading, time: newest.time, marks))
    }
}
