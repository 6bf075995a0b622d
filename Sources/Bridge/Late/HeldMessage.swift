import Contract
import MQTT
import System

/// A message of a shared device that waits on the disk: it arrived while the right to publish was in doubt.
struct HeldMessage {
    let message: Message
    /// When the reading arrived.
    let arrival: Instant
    /// The assignment of the device to this gateway at that time; nil: the message is sent in any case.
    let stamp: FleetStamp?
}
