/// How a value is written.
///
/// The counterpart of Core Bluetooth's `CBCharacteristicWriteType`.
package enum WriteType: String, Sendable {
    /// The peripheral confirms the write; a long value is sent in pieces.
    case withResponse = "request"
    /// The peripheral does not confirm the write: success only means that bluetoothd has queued the value.
    case withoutResponse = "command"
    /// The peripheral returns each piece for comparison, and the value takes effect as a whole.
    case reliable
}
