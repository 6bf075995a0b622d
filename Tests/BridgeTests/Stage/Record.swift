import EventLoop
import JSON
import MQTT

/// The messages that a client has heard, each of which a test waits for once.
final class Record: @unchecked Sendable {
    private(set) var messages: [Message] = []
    /// Where in `messages` the search for the next one of a topic begins.
    private var heard: [String: Int] = [:]
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

    /// Waits for the next message of a topic for which `condition` holds; those before it are passed over.
    @discardableResult
    func message(_ topic: String, where condition: (Message) -> Bool = { _ in true }) async throws -> Message {
        // A test that waits in vain is to say so and not to hang; how long that takes does not matter.
        var isLate = false
        let guardian = loop.schedule(after: .seconds(60)) { [self] in
            isLate = true
            wake()
        }
        defer { guardian.cancel() }
        while !isLate {
            while let index = messages[heard[topic, default: 0]...].firstIndex(where: { "\($0.topic)" == topic }) {
                heard[topic] = index + 1
                if condition(messages[index]) { return messages[index] }
            }
            heard[topic] = messages.count
            await withCheckedContinuation { waiting.append($0) }
        }
        throw Vain(topic: topic, heard: all(topic).map { $0.text ?? "\($0.payload.count) bytes" })
    }

    /// Waits for the next message of a topic for whose JSON `condition` holds.
    @discardableResult
    func next(_ topic: String, where condition: (JSON) -> Bool = { _ in true }) async throws -> JSON {
        let message = try await message(topic) { message in (message.json).map(condition) ?? false }
        return message.json ?? .null
    }

    /// Keeps no longer what was heard on a topic.
    func forget(_ topic: String) {
        messages.removeAll { "\($0.topic)" == topic }
        heard = [:]
    }

    /// The messages of a topic so far.
    func all(_ topic: String) -> [Message] {
        messages.filter { "\($0.topic)" == topic }
    }

    /// The message that a test waited for did not come.
    struct Vain: Error, CustomStringConvertible {
        let topic: String
        let heard: [String]

        var description: String {
            "waited in vain on \(topic), where this was heard: \(heard.suffix(20).joined(separator: "\n"))"
        }
    }
}

extension Message {
    /// What the payload says, where it is JSON.
    var json: JSON? { try? JSON(parsing: payload) }
}

extension JSON {
    /// The reading without the time at which it was received: that is different each time.
    var withoutTime: String {
        guard var object else { return description }
        object["time"] = nil
        return JSON.object(object).description
    }
}
