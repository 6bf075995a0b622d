import Codec
import Configuration
import Contract
import JSON
import MQTT
import System

/// Builds every MQTT message of one gateway: topic, flags and properties.
struct MessageBuilder: Sendable {
    let topics: Topics
    let qualityOfService: QualityOfService
    /// The values to keep while the broker is away, for readings without a rule of their own.
    let keep: Configuration.Keep
    /// Whether events, and readings that the broker does not retain, wait on the disk too.
    let storesEvents: Bool
    /// The gateway's name, which is a user property of each message with a payload (MQTT 5, 3.3.2.3.7).
    let gateway: String
    /// The start of the gateway as other gateways know it; nil: the gateway shares no devices.
    var start: FleetStart?
    /// Two messages whose properties all readings share in memory: one with a JSON payload, and one with a value alone.
    private let samples: (json: Message, value: Message)

    init(
        topics: Topics, qualityOfService: QualityOfService, keep: Configuration.Keep = .newest,
        storesEvents: Bool = false, gateway: String
    ) {
        self.topics = topics
        self.qualityOfService = qualityOfService
        self.keep = keep
        self.storesEvents = storesEvents
        self.gateway = gateway
        func sample(_ payload: Configuration.PublishRules.Payload) -> Message {
            Message(topics[.state], properties: Self.properties(of: gateway, contentType: payload.contentType))
        }
        samples = (sample(.json), sample(.value))
    }

    /// Returns the queue policy of the readings of one topic.
    ///
    /// - Parameters:
    ///   - keep: the rule of the device or the characteristic; nil: the rule of the gateway.
    ///   - isRetained: whether the broker retains the message.
    /// - Returns: The policy.
    func policy(_ keep: Configuration.Keep?, isRetained: Bool) -> QueuePolicy {
        switch keep ?? self.keep {
        case .all: QueuePolicy(isRetained ? .latest : .each, isKept: true)
        case .newest: QueuePolicy(isRetained ? .latest : .each, isKept: !isRetained && storesEvents)
        case .nothing: .whileConnected
        }
    }

    /// The queue policy of the gateway's events.
    var eventPolicy: QueuePolicy { QueuePolicy(.each, isKept: storesEvents) }

    /// Returns a message with a JSON payload.
    func message(_ json: JSON, on topic: Topic, isRetained: Bool) -> Message {
        Message(
            topic, Array(json.description.utf8), qualityOfService: qualityOfService, isRetained: isRetained,
            properties: properties())
    }

    /// Returns a late message.
    func late(_ payload: LatePayload, on topic: Topic) -> Message {
        var message = message(payload.json, on: topic, isRetained: false)
        // At least once, whatever the quality of service of the reading.
        message.qualityOfService = .atLeastOnce
        message.properties.userProperties += [
            Message.UserProperty("late", "1"), Message.UserProperty("id", "\(payload.id)"),
        ]
        return message
    }

    /// Returns the retained message with the gateway's state; the state `offline` is also the last will.
    func state(_ state: GatewayState) -> Message {
        message(state.json(of: start?.connection), on: topics[.state], isRetained: true)
    }

    /// Returns a message to other gateways; its quality of service does not depend on the configuration.
    func fleetMessage(_ json: JSON, on topic: GatewayTopic) -> Message {
        Message(topics[topic], Array(json.description.utf8), properties: properties())
    }

    /// Returns the empty message that removes the retained message of a topic from the broker.
    func empty(on topic: Topic) -> Message {
        Message(topic, qualityOfService: qualityOfService, isRetained: true)
    }

    /// Returns the message for the readings of one topic, without a payload.
    ///
    /// - Parameters:
    ///   - name: the name of the characteristic or of the advertised quantity.
    ///   - device: the name of the device.
    ///   - isRetained: whether the broker retains the message.
    ///   - qos: the quality of service, 0 to 2; nil: the gateway's.
    ///   - payload: the form of the payload.
    /// - Returns: The message, to which each reading adds its payload.
    /// - Throws: `TopicError` if the names cannot be part of a topic.
    func reading(
        _ name: String, of device: String, isRetained: Bool, qos: Int?, _ payload: Configuration.PublishRules.Payload
    ) throws(TopicError) -> Message {
        var message = payload == .json ? samples.json : samples.value
        message.topic = try topics.device(device, .reading, name)
        message.qualityOfService = qos.flatMap { QualityOfService(rawValue: Int32($0)) } ?? qualityOfService
        message.isRetained = isRetained
        return message
    }

    /// Returns the payload of the response to a request.
    func responsePayload(_ outcome: Result<JSON, RequestError>, to reply: ReplyAddress) -> [UInt8] {
        Array(Response(outcome, reply.transaction).json.description.utf8)
    }

    /// Returns the response to a request on a topic.
    func response(_ payload: [UInt8], to reply: ReplyAddress, on topic: Topic) -> Message {
        var properties = properties()
        properties.correlationData = reply.correlationData
        return Message(topic, payload, qualityOfService: qualityOfService, properties: properties)
    }

    /// Returns a message that an earlier run of the gateway could not send.
    func restored(
        _ payload: [UInt8], on topic: Topic, qualityOfService: QualityOfService, contentType: String
    ) -> Message {
        Message(
            topic, payload, qualityOfService: qualityOfService, properties: properties(contentType: contentType))
    }

    private func properties(contentType: String = "application/json") -> Message.Properties {
        Self.properties(of: gateway, contentType: contentType)
    }

    private static func properties(of gateway: String, contentType: String) -> Message.Properties {
        Message.Properties(contentType: contentType, userProperties: [Message.UserProperty("gateway", gateway)])
    }
}

extension Configuration.PublishRules.Payload {
    /// The MIME type of the payload.
    fileprivate var contentType: String {
        switch self {
        case .json: "application/json"
        case .value: "text/plain"
        }
    }
}
