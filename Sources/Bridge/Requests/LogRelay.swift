import Configuration
import Contract
import EventLoop
import JSON
import Log
import MQTT
import Synchronization
import System

/// Publishes the lines of the log on `PREFIX/bridge/GATEWAY/log` while a client wants them.
final class LogRelay: LoopPart {
    /// How long lines are collected before they are published.
    private static let delay = Duration.milliseconds(200)
    /// The maximum number of lines that are collected; further lines are not published.
    private static let capacity = 500

    let loop: EventLoop
    private let broker: BrokerLink
    /// The lines that wait; any thread may write to the log.
    private let lines = Lines()
    private var endTimer: Timer?
    private var publishTimer: Timer?

    private final class Lines: Sendable {
        private let records = Mutex<[Log.Record]>([])

        func add(_ record: Log.Record) {
            records.withLock { if $0.count < LogRelay.capacity { $0.append(record) } }
        }

        func takeAll() -> [Log.Record] {
            records.withLock { records in
                defer { records = [] }
                return records
            }
        }
    }

    init(broker: BrokerLink, loop: EventLoop) {
        self.broker = broker
        self.loop = loop
    }

    /// Publishes all lines of at least a level that are written within a time; zero ends the publication.
    ///
    /// - Returns: The data of the response: the topic, and the end of the publication.
    func start(for duration: Duration, from level: Log.Level) -> JSON {
        stop()
        let topic = broker.publisher?.topics[.log]
        if duration > .zero {
            Log.observe(level) { [lines] record in lines.add(record) }
            endTimer = after(duration) { $0.stop() }
            publishLater()
        }
        let end = Timestamp(milliseconds: loop.timestamp.milliseconds + duration.nanoseconds / 1_000_000)
        return ResponseData.log(topic: topic?.description ?? "", until: end).json
    }

    /// Ends the publication, after the lines that wait.
    func stop() {
        guard let timer = endTimer else { return }
        timer.cancel()
        endTimer = nil
        Log.observe(.info, nil)
        publishTimer?.cancel()
        publishLines()
    }

    private func publishLater() {
        publishTimer = after(Self.delay) { relay in
            relay.publishLines()
            if relay.endTimer != nil { relay.publishLater() }
        }
    }

    private func publishLines() {
        guard let publisher = broker.publisher else { return }
        for record in lines.takeAll() {
            let line = LogEntry(
                level: Configuration.LogLevel(record.level), subject: record.subject, message: record.message,
                time: record.time.timestamp)
            publisher.publish(line.json, on: .log)
        }
    }
}
