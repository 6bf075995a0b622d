import Contract
import MQTT
import System

/// The way of the readings of an advertisement.
enum ReadingDelivery {
    /// They are published according to the rules of `publish`.
    case publish
    /// Readings with `keep: all` are on the disk; the others are published.
    case publishOthers
    /// The messages of readings with `keep: all` are passed on, for the disk.
    case keep((Message) -> Void)

    /// Delivers a reading of a topic.
    func deliver(_ received: ReceivedReading, by publication: Publication, expiry: Duration?, at arrival: Instant) {
        switch self {
        case .publish: publication.take(received, expiry: expiry, at: arrival)
        case .publishOthers: if !publication.isKept { publication.take(received, expiry: expiry, at: arrival) }
        case .keep(let pass):
            guard publication.isKept, let message = publication.messageToKeep(received, at: arrival) else { return }
            pass(message)
        }
    }
}
