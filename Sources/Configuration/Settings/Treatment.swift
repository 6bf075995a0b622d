package import Codec

extension Configuration {
    /// How a device is treated: what a profile holds, and what a device's own entry overrides.
    package struct Treatment: Sendable, Equatable {
        package let connect: ConnectPolicy
        /// The characteristics that must have given a value before a collecting session ends; nil: each one that is
        /// read or subscribed.
        package let until: [String]?
        /// How long a collecting session may take.
        package let within: Duration
        /// How long a connection made for a command stays.
        package let hold: Duration
        /// After how long without a notification the device is left alone; nil: never.
        package let quiet: Duration?
        /// Whether the device wants a bond.
        package let pair: Bool
        /// Holds the passkey of that bond.
        package let passkeyFile: SecretFile?
        /// Holds the key of its encrypted advertisements.
        package let keyFile: SecretFile?
        /// In the order of the file, a profile's first.
        package let characteristics: [Characteristic]
        /// How its advertisements are read, before the formats that this release knows.
        package let advertisements: [AdvertisementFormat]
        /// Which of the readings of its advertisements are published, and how.
        package let publish: PublishRules

        /// Whether its advertisements are read.
        package var listensToAdvertisements: Bool {
            connect == .never || !advertisements.isEmpty || keyFile != nil
        }

        /// What becomes a topic each, as far as that is known before anything is heard.
        var namesOfTopics: [String] {
            characteristics.map(\.name) + advertisements.flatMap(\.quantities).map(\.name)
        }
    }
}
