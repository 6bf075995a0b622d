package import Bluetooth
package import Codec

extension Configuration {
    /// A characteristic that is read, subscribed or written, and the publishing rules for its values.
    package struct Characteristic: Sendable, Equatable {
        package enum ReadPolicy: Sendable, Hashable {
            /// Once after each connection.
            case onConnect
            /// After each connection, and then at this interval.
            case every(Duration)
        }

        package enum WritePolicy: Sendable, Hashable {
            case withResponse, withoutResponse
            /// The device sends the value back for verification before it takes effect.
            case reliable
        }

        /// The last levels of its topic.
        package let name: String
        /// The service; nil for any service.
        package let service: UUID?
        package let uuid: UUID
        /// The number among the characteristics with the same UUIDs, from 1.
        package let instance: Int
        package let subscribe: Bool
        /// When to read it; nil to read it on request only.
        package let read: ReadPolicy?
        /// How commands may write it; nil if writing is not allowed.
        package let write: WritePolicy?
        /// The format; nil for that of the Bluetooth SIG.
        package let format: Format?
        package let publish: PublishRules
        package let retain: Bool
        /// The quality of service, 0 to 2; nil for that of ``Broker``.
        package let qos: Int?
        /// The unit that replaces that of a format with a single value.
        package let unit: String?
        /// The device class that replaces the default for Home Assistant.
        package let deviceClass: String?
    }
}
