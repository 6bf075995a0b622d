import Contract
import MQTT
import System

/// The requests of the last minutes with their responses: a request that the broker delivers again is carried out once.
///
/// A broker that has not received the acknowledgement of a message sends the message again, with the flag DUP: in a resumed
/// session (MQTT 5, 4.4), and some brokers also after a while. A request without the flag is a new request, even if an
/// earlier one is equal.
final class RequestMemory {
    /// The maximum size of the requests and responses, in bytes; the oldest requests are forgotten first.
    static let limit = 256 << 10
    /// The maximum size of a response, in bytes; a request with a longer one is carried out again.
    static let longestResponse = 64 << 10
    /// The size that is added to that of each request.
    private static let overhead = 256

    private var requests: [RememberedRequest] = []
    private var size = 0

    /// Adds a request.
    ///
    /// - Parameters:
    ///   - message: the request.
    ///   - broker: the URL of the broker that has delivered it.
    ///   - now: the current time.
    /// - Returns: The request, which receives its response later.
    func add(_ message: Message, of broker: String, at now: Instant) -> RememberedRequest {
        remove(where: { $0.isOver(at: now) })
        let request = RememberedRequest(message, of: broker, at: now, Self.overhead, in: self)
        requests.append(request)
        grow(by: request.size)
        return request
    }

    /// Returns the request that the broker delivers again; nil if it is forgotten, or was never received.
    func first(_ message: Message, of broker: String, at now: Instant) -> RememberedRequest? {
        requests.last { !$0.isOver(at: now) && $0.isEqual(to: message, of: broker) }
    }

    fileprivate func grow(by count: Int) {
        size += count
        while size > Self.limit, !requests.isEmpty {
            size -= requests.remove(at: requests.firstIndex(where: \.isAnswered) ?? 0).size
        }
    }

    fileprivate func contains(_ request: RememberedRequest) -> Bool { requests.contains { $0 === request } }

    fileprivate func remove(where isRemoved: (RememberedRequest) -> Bool) {
        requests.removeAll { request in
            guard isRemoved(request) else { return false }
            size -= request.size
            return true
        }
    }
}

/// A request and its response.
final class RememberedRequest: @unchecked Sendable {
    // Used only on the thread of the event loop.
    private weak var memory: RequestMemory?
    private let broker: String
    private let topic: Topic
    private let payload: [UInt8]
    private let correlationData: [UInt8]?
    private let received: Instant
    private var timeToLive = Request.standardTimeToLive
    /// The payload of the response; nil while the request is being carried out.
    private(set) var response: [UInt8]?
    /// The size of the request and of its response, in bytes.
    fileprivate private(set) var size: Int

    fileprivate init(
        _ message: Message, of broker: String, at now: Instant, _ overhead: Int, in memory: RequestMemory
    ) {
        self.memory = memory
        self.broker = broker
        topic = message.topic
        payload = message.payload
        correlationData = message.properties.correlationData
        received = now
        size = topic.description.utf8.count + payload.count + (correlationData?.count ?? 0) + overhead
    }

    fileprivate var isAnswered: Bool { response != nil }

    /// Returns whether the request was answered, and its time to live has passed.
    fileprivate func isOver(at now: Instant) -> Bool { isAnswered && now - received > timeToLive }

    /// The transaction is a part of the payload.
    fileprivate func isEqual(to message: Message, of broker: String) -> Bool {
        topic == message.topic && payload == message.payload
            && correlationData == message.properties.correlationData && self.broker == broker
    }

    /// Sets how long the request is remembered: for its time to live, which is known once it is parsed.
    func keep(for timeToLive: Duration) {
        self.timeToLive = timeToLive
    }

    /// Stores the response.
    func answer(_ payload: [UInt8]) {
        guard !isAnswered, let memory, memory.contains(self) else { return }
        guard payload.count <= RequestMemory.longestResponse else { return memory.remove(where: { $0 === self }) }
        response = payload
        size += payload.count
        memory.grow(by: payload.count)
    }
}
