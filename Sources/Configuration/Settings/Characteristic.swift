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

        /// The shortest interval at which a characteristic is read; a connection allows about 20 reads per second.
        package static let shortestReadInterval = Duration.milliseconds(100)

        /// The last levels of the characteristic's topic.
        package let name: String
        /// The service that contains the characteristic; nil for any service.
        package let service: UUID?
        package let uuid: UUID
        /// The position among the characteristics with the same UUIDs, from 1 on.
        package let instance: Int
        /// Whether the file gives the position.
        package let isInstanceGiven: Bool
        package let subscribe: Bool
        /// When the characteristic is read; nil: only on request.
        package let read: ReadPolicy?
        /// How commands may write the characteristic; nil if writing is not allowed.
        package let write: WritePolicy?
        /// The configured format; nil: the format of the Bluetooth SIG.
        package let format: Format?
        /// A value for which this condition is false is rejected; nil: no condition.
        package let valid: Expression?
        package let publish: PublishRules
        /// The values to keep while the broker is away; nil: the rule of the device.
        package let keep: Keep?
        package let retain: Bool
        /// The quality of service, 0 to 2; nil: the quality of service of ``Broker``.
        package let qos: Int?
        /// The unit that replaces the unit of a format with a single value; nil: the unit of the format.
        package let unit: String?
        /// The device class that replaces the default for Home Assistant; nil: the default.
        package let deviceClass: String?
        /// How Home Assistant shows the entities of the characteristic.
        package let label: EntityLabel
        /// How Home Assistant shows the fields of the configured format, by the names of their values.
        package let fieldLabels: [String: FieldLabel]
    }
}
