import Contract
import EventLoop
import Log
import MQTT
import Sharing
import System

/// The requests of clients to shared devices: each gateway receives all of them, and one gateway answers each.
///
/// `FleetGateway` knows which one. This type gives each request its name, has it carried out, and keeps its response until
/// it may be published.
final class SharedRequests: LoopPart {
    /// The calls to the part that carries out requests.
    struct Work {
        /// Carries out a request; the response arrives at the last value.
        let execute: (Message, _ device: String, DeferredResponse) -> Void
        /// Answers a request with a failure.
        let refuse: (Message, _ device: String, RequestError) -> Void
    }

    private struct Response {
        let payload: [UInt8]
        let reply: ReplyAddress
    }

    let loop: EventLoop
    /// Passes an event to the machine; called after an action but never during the action.
    private let report: (FleetEvent) -> Void
    private var work: Work?
    private var names = RequestNames()
    /// The responses that the broker has not acknowledged, by the name of the request.
    private var responses: [String: Response] = [:]
    private let log = Log("sharing")

    init(loop: EventLoop, report: @escaping (FleetEvent) -> Void) {
        self.loop = loop
        self.report = report
    }

    func use(_ work: Work) {
        self.work = work
    }

    /// Returns the event for a message that has arrived on a request topic of a shared device.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - device: The name of the device.
    ///   - known: Returns the numbers in the names of the requests with a fingerprint that the machine knows.
    /// - Returns: The event.
    func event(_ message: Message, of device: String, known: (String) -> RequestNames.Known?) -> FleetEvent {
        let content = RequestContent(message)
        let name = names.name(
            FleetGateway.fingerprint(of: content.texts), isDuplicate: message.isDuplicate, known: known, at: loop.now)
        let timeToLive = Request(get: message).timeToLive.nanoseconds / 1_000_000
        return .request(name, FleetRequest(device: device, remaining: Int(timeToLive), content: content.json))
    }

    /// Carries out a request; the machine receives `executed` at its end.
    func execute(_ name: String, _ request: FleetRequest) {
        let completed = handler { (requests: SharedRequests, response) in requests.executed(name, response) }
        let deferred = DeferredResponse { payload, reply in
            completed(Response(payload: payload, reply: reply))
        } onEnd: {
            completed(nil)
        }
        if let message = message(of: request) { work?.execute(message, request.device, deferred) }
    }

    private func executed(_ name: String, _ response: Response?) {
        responses[name] = response
        spawn { $0.report(.executed(name)) }
    }

    /// Publishes the response to a request; the machine receives `responseLost` if the connection to the broker ends before.
    func respond(_ name: String, _ answer: FleetAnswer, by publisher: Publisher) {
        switch answer {
        case .interrupted(let request):
            refuse(request, RequestError(.failed, "interrupted: the gateway that carried out the request has ended"))
        case .executed:
            guard let response = responses[name] else { return }
            send(response, of: name, to: response.reply.topic, by: publisher)
        }
    }

    private func send(_ response: Response, of name: String, to topic: Topic, by publisher: Publisher) {
        let connection = publisher.messages.start?.connection
        publisher.respond(
            response.payload, to: response.reply, on: topic,
            completion: handler { (requests: SharedRequests, isAccepted) in
                if isAccepted {
                    requests.accepted(name, on: topic)
                } else {
                    requests.failed(name, on: topic, connection, publisher)
                }
            })
    }

    /// Handles that the broker has accepted a response.
    private func accepted(_ name: String, on topic: Topic) {
        if let reply = responses[name]?.reply, reply.topic == topic { reply.completion?(true) }
        drop(name)
    }

    /// Handles that the connection to the broker has ended before the broker has acknowledged a response, or that the broker
    /// does not accept it.
    private func failed(_ name: String, on topic: Topic, _ connection: FleetConnection?, _ publisher: Publisher) {
        spawn { requests in
            if publisher.client.isConnected, publisher.messages.start?.connection == connection {
                requests.refused(name, on: topic, by: publisher)
            } else {
                requests.report(.responseLost(name))
            }
        }
    }

    private func refused(_ name: String, on topic: Topic, by publisher: Publisher) {
        guard let response = responses[name] else { return }
        response.reply.completion?(false)
        guard topic != response.reply.usualTopic else {
            log.warning("the broker does not accept a response", ["topic": topic])
            return drop(name)
        }
        send(response, of: name, to: response.reply.usualTopic, by: publisher)
    }

    /// Forgets the response to a request.
    func drop(_ name: String) {
        responses[name] = nil
    }

    /// Answers a request for which the gateways have no room.
    func refuse(_ request: FleetRequest) {
        refuse(request, RequestError(.busy, "too many requests to shared devices wait: try again later"))
    }

    private func refuse(_ request: FleetRequest, _ error: RequestError) {
        if let message = message(of: request) { work?.refuse(message, request.device, error) }
    }

    /// The message of a request that this gateway or another one has received; nil if its content is not valid.
    private func message(of request: FleetRequest) -> Message? {
        RequestContent(request.content)?.message(expiringAfter: .milliseconds(max(0, request.remaining)))
    }
}
