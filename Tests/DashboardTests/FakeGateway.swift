import EventLoop
import Foundation
import MQTT
import Synchronization
import TestSupport

/// A gateway that records the requests and answers each of them, on an event loop and a thread of its own.
final class FakeGateway: Sendable {
    private let loop: EventLoop
    private let inbox = Inbox()

    /// - Parameters:
    ///   - port: The port of the broker.
    ///   - payload: The payload of each response; nil: success, with the transaction of the request.
    ///   - answers: Whether there are responses.
    /// - Throws: `SystemError` without a file descriptor.
    init(_ port: UInt16, _ payload: String? = nil, answers: Bool = true) throws {
        let loop = try EventLoop()
        self.loop = loop
        let ready = DispatchSemaphore(value: 0)
        let thread = Thread { [inbox] in
            loop.schedule(after: .zero) { Self.start(loop, port, payload, answers, inbox, ready) }
            loop.run()
        }
        thread.start()
        ready.wait()
    }

    deinit { loop.stop() }

    private static func start(
        _ loop: EventLoop, _ port: UInt16, _ payload: String?, _ answers: Bool, _ inbox: Inbox,
        _ ready: DispatchSemaphore
    ) {
        let box = ClientBox()
        let settings = Client.Settings(.tcp(host: "127.0.0.1", port: port), identifier: "gateway-\(UUID())")
        let client = try? Client(settings, on: loop) { event in
            switch event {
            case .subscribed: ready.signal()
            case .received(let message):
                guard let response = response(to: message, payload) else { return }
                if answers { box.client?.publish(response, policy: .each) }
                inbox.add("\(message.topic) \(message.text ?? "")")
            default: break
            }
        }
        guard let client else { preconditionFailure("the settings of the client are not valid") }
        box.set(client)
        client.subscribe(to: "bluefleet/#")
        client.start()
    }

    private static func response(to message: Message, _ payload: String?) -> Message? {
        let topic = message.topic.description
        guard !topic.contains("/response/") else { return nil }
        let isRequest = topic.contains("/request/") || topic.hasSuffix("/set") || topic.hasSuffix("/get")
        guard isRequest else { return nil }
        let standard = try? Topic(topic.replacingOccurrences(of: "/request/", with: "/response/"))
        guard let target = message.properties.responseTopic ?? standard else { return nil }
        let transaction = (message.text ?? "").firstMatch(of: /"transaction":("[^"]*")/).map {
            ",\"transaction\":\($0.1)"
        }
        let text = payload ?? #"{"status":"ok"\#(transaction ?? ""),"data":{}}"#
        let properties = Message.Properties(correlationData: message.properties.correlationData)
        return Message(target, Array(text.utf8), properties: properties)
    }

    /// Waits for the next request, and returns its topic and payload.
    func request() throws -> String {
        guard let request = inbox.next() else { throw UnexpectedOutcome("no request has arrived") }
        return request
    }
}

/// The requests that no test has taken yet.
private final class Inbox: Sendable {
    private let requests = Mutex<[String]>([])
    private let arrivals = DispatchSemaphore(value: 0)

    func add(_ request: String) {
        requests.withLock { $0.append(request) }
        arrivals.signal()
    }

    /// Waits for the next request; nil if none has arrived within 30 s.
    func next() -> String? {
        guard arrivals.wait(timeout: .now() + 30) == .success else { return nil }
        return requests.withLock { $0.removeFirst() }
    }
}

/// The client, for its own handler.
///
/// Unchecked: it is used on the loop's thread only.
private final class ClientBox: @unchecked Sendable {
    private(set) var client: Client?

    func set(_ client: Client) {
        self.client = client
    }
}
