/// How a value is written.
///
/// The counterpart of Core Bluetooth's `CBCharacteristicWriteType`.
package enum WriteType: String, Sendable {
    /// The peripheral confirms it; a long value goes in pieces.
    case withResponse = "request"
    /// Success only says that it was sent.
    case withoutResponse = "command"
    /// The peripheral sends every piece back before it counts: for what must not be written half or wrongly.
    case reliable
}
