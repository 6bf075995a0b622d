import EventLoop
import JSON
import MQTT

@testable import Bridge
@testable import Contract

/// The parts of a gateway belong to its actor: tests reach them through these functions.
extension Gateway {
    var spoolStatus: SpoolStatus { broker.spooler.status }

    func closeSpool() async {
        await broker.spooler.close()
    }

    func dropSpool() async throws(RequestError) -> JSON {
        try await broker.spooler.answer(drops: true)
    }

    func publish(_ event: GatewayEvent) {
        broker.publisher?.publish(event, at: loop.timestamp)
    }

    /// Handles an event of the client of a publisher.
    func handle(_ event: Client.Event, from publisher: Int) {
        broker.handle(event, from: publisher)
    }
}
