/// How a value is written.
///
/// The counterpart of Core Bluetooth's `CBCharacteristicWriteType`.
package enum WriteType: String, Sendable {
    /// The peripheral confirms the write; a long value is sent in pieces.
    case withResponse = "request"
    /// Success only means that the value was sent.
    case withoutResponse = "command"
    /// The peripheral returns each piece before the value takes effect: for values that must not be written partly.
    case reliable
}
