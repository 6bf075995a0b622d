internal import Codec
internal import Configuration
internal import EventLoop
internal import JSON
internal import Log
internal import MQTT

/// What waits for the broker while the gateway does not run, in the state folder: `waiting.json`.
struct WaitingMessagesStore {
    private var file: StateFile
    private let log = Log("state")
    private var json: JSON?

    /// Takes up what an earlier run left.
    init(in folder: String) {
        file = StateFile("waiting.json", of: "what waits for the broker", in: folder, isForced: true)
        json = file.read()
    }

    /// The messages for a broker, in order; they are in the file no more.
    mutating func take(for outlet: Outlet) -> [Message] {
        defer { json = nil }
        let list = json?["messages"]?.array ?? []
        guard !list.isEmpty else { return [] }
        save([], for: outlet)
        // Another broker has other readers.
        guard json?["broker"]?.string == outlet.broker.url else { return [] }
        return list.compactMap { Message($0, from: outlet.gateway) }
    }

    /// Keeps messages for the next start.
    mutating func save(_ messages: [Message], for outlet: Outlet) {
        do throws(EventLoopError) {
            let list = JSON.array(messages.map(\.json))
            try file.replace(with: ["broker": .string(outlet.broker.url), "messages": list])
        } catch {
            log.warning("\(error): what waits for the broker is not kept as it is now")
        }
    }
}

extension Message {
    fileprivate init?(_ json: JSON, from gateway: String) {
        guard let topic = json["topic"]?.string.flatMap({ try? Topic($0) }),
            let payload = json["hex"]?.string.flatMap({ [UInt8](hexadecimal: $0) }),
            let quality = json["qos"]?.int.flatMap({ Int32(exactly: $0) }).flatMap({ QualityOfService(rawValue: $0) }),
            let contentType = json["content_type"]?.string
        else { return nil }
        self.init(
            topic, payload, qualityOfService: quality,
            properties: Message.Properties(from: gateway, contentType: contentType))
    }

    fileprivate var json: JSON {
        [
            "topic": .string(topic.description), "hex": .string(payload.hexadecimal),
            "qos": .number(JSON.Number(qualityOfService.rawValue)),
            "content_type": .string(properties.contentType ?? "application/json"),
        ]
    }
}
