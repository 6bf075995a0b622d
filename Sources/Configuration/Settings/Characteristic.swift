package import Bluetooth
package import Codec

extension Configuration {
    /// A characteristic that is read, subscribed or written, and what becomes of its values.
    package struct Characteristic: Sendable, Equatable {
        package enum ReadPolicy: Sendable, Hashable {
            /// Once after each connecting.
            case onConnect
            /// After each connecting, and again after each such time.
            case every(Duration)
        }

        package enum WritePolicy: Sendable, Hashable {
            case withResponse, withoutResponse
            /// The device sends the value back before it counts.
            case reliable
        }

        /// The last part of its topic.
        package let name: String
        /// Nil: whichever service has it.
        package let service: UUID?
        package let uuid: UUID
        /// Which of several with the same UUIDs, counted from 1.
        package let instance: Int
        package let subscribe: Bool
        /// Nil: only when a command asks for it.
        package let read: ReadPolicy?
        /// Nil: nothing may be written.
        package let write: WritePolicy?
        /// Nil: what the Bluetooth SIG laid down.
        package let format: Format?
        package let publish: PublishRules
        package let retain: Bool
        /// The quality of service; nil: the broker's.
        package let qos: Int?
        /// Overrides the unit of a format with one value.
        package let unit: String?
        /// Overrides Home Assistant's class.
        package let deviceClass: String?
    }
}
