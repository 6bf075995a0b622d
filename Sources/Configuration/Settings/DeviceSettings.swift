package import Codec

extension Configuration {
    /// The settings of a device: those of its profile, overridden by those of its own entry.
    package struct DeviceSettings: Sendable, Equatable {
        package let connect: ConnectPolicy
        /// The characteristics that must have a value before a collecting session ends; nil for all that are read or
        /// subscribed.
        package let until: [String]?
        /// The maximum duration of a collecting session.
        package let within: Duration
        /// How long an on-demand connection stays open after a command.
        package let hold: Duration
        /// The time without a notification after which the device is disconnected; nil for never.
        package let quiet: Duration?
        /// Whether the device requires a bond.
        package let pair: Bool
        /// The file with the passkey for the bond.
        package let passkeyFile: SecretFile?
        /// The file with the key of its encrypted advertisements.
        package let keyFile: SecretFile?
        /// The characteristics in the order of the file, those of the profile first.
        package let characteristics: [Characteristic]
        /// The configured advertisement formats, which have priority over the built-in ones.
        package let advertisements: [AdvertisementFormat]
        /// The rules for publishing advertised readings.
        package let publish: PublishRules

        /// Whether its advertisements are read.
        package var listensToAdvertisements: Bool {
            connect == .never || !advertisements.isEmpty || keyFile != nil
        }

        /// The names of its topics, as far as they are known before the first advertisement.
        var topicNames: [String] {
            characteristics.map(\.name) + advertisements.flatMap(\.quantities).map(\.name)
        }
    }
}
