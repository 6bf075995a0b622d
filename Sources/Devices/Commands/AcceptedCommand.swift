package import Codec
package import Contract

/// A command that was checked before it is queued, with the bytes to write.
///
/// The bytes stay valid until the execution. A format never changes once it is known; without a format, only values that
/// are given as bytes are accepted.
package struct AcceptedCommand: Sendable {
    package let command: DeviceCommand
    /// The encoded value; empty if the command does not write.
    package let bytes: [UInt8]
    /// The fields to change of the last value, which is known at the execution; nil: `bytes` is the whole value.
    package let changes: Value?

    package init(_ command: DeviceCommand, bytes: [UInt8] = [], changes: Value? = nil) {
        self.command = command
        self.bytes = bytes
        self.changes = changes
    }
}
