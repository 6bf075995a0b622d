import Codec
import Configuration
import EventLoop
import JSON
import Log
import MQTT
import System

/// The store of the messages that the broker has not accepted when the gateway stops: `waiting.json` in the state
/// folder.
struct UnsentMessagesStore {
    static let fileName = "waiting.json"

    private var file: StateFile
    private let log = Log("state")
    private var json: JSON?

    /// Loads the messages that an earlier run has stored.
    init(in folder: String) {
        file = StateFile(Self.fileName, of: "the messages for the broker", in: folder, isForced: true)
        json = file.read()
    }

    /// Returns the stored messages for the publisher's broker, in their original order.
    ///
    /// The file keeps them until `clear` or `save`: the gateway may end before the broker has accepted them.
    mutating func take(for publisher: Publisher) -> [Message] {
        defer { json = nil }
        let list = json?["messages"]?.array ?? []
        // Messages for another broker are dropped, because the publisher's broker has other clients.
        guard json?["broker"]?.string == publisher.broker.name else {
            if !list.isEmpty { clear(for: publisher) }
            return []
        }
        return list.compactMap { Self.message($0, publisher.messages) }
    }

    /// Removes the messages from the file.
    mutating func clear(for publisher: Publisher) {
        save([], for: publisher)
    }

    /// Stores messages for the next start.
    mutating func save(_ messages: [Message], for publisher: Publisher) {
        do throws(SystemError) {
            let list = JSON.array(messages.map(\.json))
            try file.replace(with: ["broker": .string(publisher.broker.name), "messages": list])
        } catch {
            log.warning("\(error): the messages for the broker are not stored")
        }
    }
}

extension UnsentMessagesStore {
    private static func message(_ json: JSON, _ messages: MessageBuilder) -> Message? {
        guard let topic = json["topic"]?.string.flatMap({ try? Topic($0) }),
            let payload = json["hex"]?.string.flatMap({ [UInt8](hexadecimal: $0) }),
            let quality = json["qos"]?.int.flatMap({ Int32(exactly: $0) }).flatMap({ QualityOfService(rawValue: $0) }),
            let contentType = json["content_type"]?.string
        else { return nil }
        return messages.restored(payload, on: topic, qualityOfService: quality, contentType: contentType)
    }
}

extension Message {
    fileprivate var json: JSON {
        [
            "topic": .string(topic.description), "hex": .string(payload.hexadecimal),
            "qos": .number(qualityOfService.rawValue),
            "content_type": .string(properties.contentType ?? "application/json"),
        ]
    }
}
