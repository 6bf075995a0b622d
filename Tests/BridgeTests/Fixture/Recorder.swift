import EventLoop
import JSON
import MQTT

/// Records the messages that a client receives; a test waits for each message at most once.
final class Recorder: @unchecked Sendable {
    private(set) var messages: [Message] = []
    /// The index in `messages` where the search for the next message of a topic starts.
    private var positions: [String: Int] = [:]
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private let loop: EventLoop

    init(_ loop: EventLoop) {
        self.loop = loop
    }

    func add(_ message: Message) {
        messages.append(message)
        wake()
    }

    private func wake() {
        let continuations = waiting
        waiting = []
        for continuation in continuations { continuation.resume() }
    }

    /// Waits for the next message of a topic that meets `condition`, and skips all earlier messages of the topic.
    @discardableResult
    func message(_ topic: String, where condition: (Message) -> Bool = { _ in true }) async throws -> Message {
        let limit = WaitLimit(self) { [self] in wake() }
        defer { limit.end() }
        while !limit.isReached {
            while let index = messages[positions[topic, default: 0]...].firstIndex(where: { "\($0.topic)" == topic }) {
                positions[topic] = index + 1
                if condition(messages[index]) { return messages[index] }
            }
            positions[topic] = messages.count
            await withCheckedContinuation { waiting.append($0) }
        }
        throw Timeout(topic: topic, received: all(topic).map { $0.text ?? "\($0.payload.count) bytes" })
    }

    /// Waits for the next message of a topic whose JSON meets `condition`.
    @discardableResult
    func next(_ topic: String, where condition: (JSON) -> Bool = { _ in true }) async throws -> JSON {
        let message = try await message(topic) { message in (message.json).map(condition) ?? false }
        return message.json ?? .null
    }

    /// Ends a wait for something that never happens: without a limit, the test would hang.
    ///
    /// A busy machine can need minutes for what takes a second otherwise. The limit is therefore a minute without any message,
    /// or ten minutes.
    final class WaitLimit {
        private(set) var isReached = false
        private let recorder: Recorder
        private let wake: () -> Void
        private var timer: Timer?
        private var minutes = 0

        /// - Parameters:
        ///   - recorder: The messages that show that the gateway works.
        ///   - wake: Called when the limit is reached.
        init(_ recorder: Recorder, wake: @escaping () -> Void = {}) {
            self.recorder = recorder
            self.wake = wake
            waitForMinute()
        }

        private func waitForMinute() {
            let count = recorder.messages.count
            timer = recorder.loop.schedule(after: .seconds(60)) { [unowned self] in
                minutes += 1
                if recorder.messages.count > count, minutes < 10 { return waitForMinute() }
                isReached = true
                wake()
            }
        }

        func end() {
            timer?.cancel()
        }
    }

    /// Removes the recorded messages of a topic.
    func forget(_ topic: String) {
        messages.removeAll { "\($0.topic)" == topic }
        positions = [:]
    }

    /// Returns the messages of a topic so far.
    func all(_ topic: String) -> [Message] {
        messages.filter { "\($0.topic)" == topic }
    }

    /// The error that is thrown if an expected message does not arrive.
    struct Timeout: Error, CustomStringConvertible {
        let topic: String
        let received: [String]

        var description: String {
            "no expected message on \(topic); received: \(received.suffix(20).joined(separator: "\n"))"
        }
    }
}

extension Message {
    /// The payload as JSON; nil if the payload is not valid JSON.
    var json: JSON? { try? JSON(parsing: payload) }
}

extension JSON {
    /// The reading without its time, which differs in each run.
    var withoutTime: String {
        guard var object else { return description }
        object["time"] = nil
        return JSON.object(object).description
    }
}
