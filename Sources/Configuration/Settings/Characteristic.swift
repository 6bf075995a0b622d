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

        /// The greatest number of bytes of a value.
        ///
        /// Source: Core Specification 5.4, Vol 3, Part F, 3.2.9.
        package static let longestValue = 512

        /// The name of the entry.
        package let name: String
        /// The name that the entry shares with others in topics and in Home Assistant; nil: it has its own.
        package let sharedName: String?
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
        /// Whether a value that is longer than one packet is written in pieces.
        package let split: Bool
        /// The characteristic, or `NAME.FIELD`, whose values are the state of this writable one; nil: its own values, or the
        /// last accepted one.
        package let state: String?
        /// The configured format; nil: the format of the Bluetooth SIG.
        package let format: Format?
        /// A value for which this condition is false is rejected; nil: no condition.
        package let valid: Expression?
        /// How the values are asked for, and found in the received bytes; nil: they are read or notified as they are.
        package var exchange: Exchange? { boxedExchange?.value }
        let boxedExchange: Boxed<Exchange>?
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
        package private(set) var label: EntityLabel
        /// How Home Assistant shows the fields of the configured format, by the names of their values.
        package private(set) var fieldLabels: [String: FieldLabel]

        /// Returns whether the characteristics differ at most in how Home Assistant shows their entities.
        func isEqualExceptLabels(to other: Characteristic) -> Bool {
            var characteristic = self
            characteristic.label = other.label
            characteristic.fieldLabels = other.fieldLabels
            return characteristic == other
        }

        /// Whether the values are asked for, or found in the received bytes.
        package var isExchange: Bool { boxedExchange != nil }

        /// The last levels of the characteristic's topic.
        package var topicName: String { sharedName ?? name }

        /// Whether its question is asked once for each number, and each answer is a value with a topic of its own.
        package var isNumbered: Bool { exchange?.question?.series != nil && exchange?.history == nil }

        /// Returns the name of the value of a number in formulas of derived values.
        package func valueName(ofNumber number: Int) -> String { "\(name)_\(number)" }

        /// Returns the last levels of the topic of a number.
        package func topicName(ofNumber number: Int) -> String { "\(topicName)_\(number)" }
    }
}
