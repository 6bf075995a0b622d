import Contract
import Dashboard
import EventLoop
import HTTP
import JSON
import MQTT
import System

/// The requests of the page on their way to a gateway and back.
final class RequestForwarder: LoopPart {
    private struct Pending {
        let request: PageRequest
        let exchange: HTTPExchange
        let timer: Timer
    }

    private static let most = 32
    private static let mostCounters = 512
    /// How long the questions of a pairing go to the visitor who has sent the request.
    private static let pairingTime = Duration.seconds(150)
    private static let mostPairings = 64

    let loop: EventLoop
    private var feed: BrokerFeed?
    /// The requests without a response, by their correlation data.
    private var pending: [String: Pending] = [:]
    /// The number of responses by verb and code.
    private(set) var counts: [Metrics.Request: Int] = [:]
    /// Until when a visitor pairs a device through a gateway.
    private var pairings: [Pairing: Instant] = [:]

    private struct Pairing: Hashable {
        let visitor: String
        let gateway: String
    }

    init(on loop: EventLoop) {
        self.loop = loop
    }

    func use(_ feed: BrokerFeed) {
        self.feed = feed
    }

    /// Whether requests can have MQTT 5 properties.
    var canCorrelate: Bool { feed?.canCorrelate ?? false }

    /// Returns whether a visitor pairs a device through a gateway.
    func pairs(_ visitor: String, _ gateway: String) -> Bool {
        pairings[Pairing(visitor: visitor, gateway: gateway)].map { $0 > loop.now } ?? false
    }

    /// Sends a request; the exchange gets its response.
    func send(_ request: PageRequest, _ visitor: PageAccess.Visitor, _ exchange: HTTPExchange) {
        guard pending.count < Self.most else {
            let text = "\(Self.most) requests wait for their responses: try again later"
            return fail(request, exchange, RequestError.Code.busy.httpStatus, .busy, text)
        }
        var random = SystemRandomNumberGenerator()
        let token = "page-\(String(random.next() as UInt64, radix: 16))"
        let (payload, properties) = message(request, token)
        if let gateway = request.pairingGateway { notePairing(visitor.name, gateway) }
        guard feed?.publish(request.topic, payload, properties) == true else {
            return fail(request, exchange, 503, .failed, "the broker is away: the request was not sent")
        }
        let forget = handler { (forwarder: RequestForwarder, _: Void) in forwarder.forget(token) }
        let entrance = LoopActor(loop: loop)
        exchange.allow(request.limit + .seconds(10)) { entrance.spawn { _ in forget(()) } }
        let timer = after(request.limit) { forwarder in
            guard let pending = forwarder.pending.removeValue(forKey: token) else { return }
            let message = "no response within \(request.limit.text): is the gateway online?"
            forwarder.fail(pending.request, pending.exchange, RequestError.Code.timeout.httpStatus, .timeout, message)
        }
        pending[token] = Pending(request: request, exchange: exchange, timer: timer)
    }

    private func message(_ request: PageRequest, _ token: String) -> (payload: [UInt8], Message.Properties) {
        var payload = request.payload
        if case .object(var object) = payload {
            object["transaction"] = canCorrelate ? request.transaction : .string(token)
            payload = .object(object)
        }
        var text: [UInt8] = []
        payload.append(to: &text)
        guard canCorrelate else { return (text, Message.Properties()) }
        let topic = feed?.topic(request.responseTopic)
        return (text, Message.Properties(responseTopic: topic, correlationData: Array(token.utf8)))
    }

    /// Forgets a request whose client has gone: it must not take the place of another one.
    private func forget(_ token: String) {
        pending.removeValue(forKey: token)?.timer.cancel()
    }

    private func notePairing(_ visitor: String, _ gateway: String) {
        pairings = pairings.filter { $0.value > loop.now }
        guard pairings.count < Self.mostPairings else { return }
        pairings[Pairing(visitor: visitor, gateway: gateway)] = loop.now + Self.pairingTime
    }

    // MARK: Responses

    /// Handles a response, which may belong to a request of another program.
    func received(_ message: Message, _ topic: String) {
        guard pending.values.contains(where: { $0.request.responseTopic == topic }) else { return }
        let json = try? JSON(parsing: message.payload)
        let correlation = message.properties.correlationData.map { String(decoding: $0, as: UTF8.self) }
        guard let token = canCorrelate ? correlation : json?["transaction"]?.string,
            let pending = pending.removeValue(forKey: token)
        else { return }
        pending.timer.cancel()
        guard let json, let response = Response(json) else {
            let text = "the gateway sent a response that is not of the contract"
            return fail(pending.request, pending.exchange, 502, .failed, text)
        }
        let status: Int
        switch response.outcome {
        case .success:
            status = 200
            count(pending.request.verb, "ok")
        case .failure(let error):
            status = error.code.httpStatus
            count(pending.request.verb, error.code.rawValue)
        }
        pending.exchange.respond(HTTPResponse(status, json: payload(message, json, pending.request)))
    }

    /// Returns the payload of the response with the transaction of the page.
    private func payload(_ message: Message, _ json: JSON, _ request: PageRequest) -> [UInt8] {
        guard !canCorrelate, var object = json.object else { return message.payload }
        object["transaction"] = request.transaction
        var text: [UInt8] = []
        JSON.object(object).append(to: &text)
        return text
    }

    private func fail(
        _ request: PageRequest, _ exchange: HTTPExchange, _ status: Int, _ code: RequestError.Code, _ message: String
    ) {
        count(request.verb, code.rawValue)
        let response = Response(.failure(RequestError(code, message)), (try? Transaction(request.transaction)) ?? nil)
        var text: [UInt8] = []
        response.json.append(to: &text)
        exchange.respond(HTTPResponse(status, json: text))
    }

    private func count(_ verb: String, _ code: String) {
        let request = Metrics.Request(verb: verb, code: code)
        guard counts[request] != nil || counts.count < Self.mostCounters else { return }
        counts[request, default: 0] += 1
    }
}
