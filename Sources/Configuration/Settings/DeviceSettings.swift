package import Codec

extension Configuration {
    /// The settings of a device: the settings of its profile, overridden by the settings of its own entry.
    package struct DeviceSettings: Sendable, Equatable {
        /// The name of the profile, as in the entry; nil: the entry names none.
        package private(set) var profile: String?
        package let connect: ConnectPolicy
        /// The characteristics that must have a value before a collecting session ends; nil: all characteristics that
        /// are read or subscribed.
        package let until: [String]?
        /// The maximum duration of a collecting session.
        package let within: Duration
        /// How long an on-demand connection stays open after a command.
        package let hold: Duration
        /// The time without a notification after which the device is disconnected; nil: never.
        package let quiet: Duration?
        /// The longest tolerated time without a value of a connected device, or without an advertisement of a device that is
        /// never connected; nil: learned.
        package let expect: Duration?
        /// Whether the device is switched off most of the time, and counts as asleep then.
        package let isOccasional: Bool
        /// Whether the device requires a bond.
        package let pair: Bool
        /// Whether a bond that the device no longer accepts is replaced without a request, as configured; nil: the default
        /// of ``renewsBond``.
        let renewBond: Bool?
        /// The file with the passkey for the bond; nil if the configuration has no passkey.
        package let passkeyFile: SecretFile?
        /// The file with the key of the device's encrypted advertisements; nil if there is no key.
        package let keyFile: SecretFile?
        /// The file with the PIN that questions use; nil: there is none.
        package let pinFile: SecretFile?
        /// The cipher of questions and answers; nil: they are not encrypted.
        package let cipher: Cipher?
        /// The values of the names that the key `with` gives to formulas of questions and answers.
        package let parameters: Environment
        /// The questions after each connection, in their order.
        package let first: [FirstQuestion]
        /// The characteristics of the profile, followed by those of the device, in the order of the file.
        package private(set) var characteristics: [Characteristic]
        /// The configured advertisement formats, which have priority over the built-in formats.
        package let advertisements: [AdvertisementFormat]
        /// Whether the key `advertisement` requests the advertisements, in a configured or a built-in format.
        let readsAdvertisements: Bool
        /// The medium whose level a tank sensor measures; nil: the medium for which the model is made.
        package let medium: TankMedium?
        /// The values to keep while the broker is away; nil: the rule of ``Spool``.
        package let keep: Keep?
        /// The rules for publishing advertised readings.
        package let publish: PublishRules
        /// The corrections of values.
        package let adjustments: [Adjustment]
        /// The values that are calculated from other values.
        package let derivedValues: [DerivedValue]
        /// How Home Assistant shows the device.
        package private(set) var label: DeviceLabel
        /// How Home Assistant shows advertised quantities, by their names.
        package private(set) var quantityLabels: [String: EntityLabel]
        /// The classes and the precision of advertised quantities, by their names.
        package private(set) var quantityFields: [String: FieldLabel]
        /// How advertised quantities are published, by their names.
        package let quantityRules: [String: QuantityRules]
        /// How Home Assistant shows the values of configured advertisement formats, by their names.
        package let fieldLabels: [String: FieldLabel]

        /// Returns whether the settings differ at most in how Home Assistant shows the device and its quantities, or in the
        /// name of the profile.
        package func isEqualExceptLabels(to other: DeviceSettings) -> Bool {
            var settings = self
            settings.profile = other.profile
            settings.label = other.label
            settings.quantityLabels = other.quantityLabels
            settings.quantityFields = other.quantityFields
            guard characteristics.count == other.characteristics.count else { return false }
            let pairs = zip(characteristics, other.characteristics)
            guard pairs.allSatisfy({ $0.isEqualExceptLabels(to: $1) }) else { return false }
            settings.characteristics = other.characteristics
            return settings == other
        }

        /// Whether a bond that the device no longer accepts is replaced without a request.
        ///
        /// Another device with the same address could get the new bond, and then receive the written values. By default,
        /// such a bond is therefore replaced only if nothing can be written, or if pairing needs a passkey.
        package var renewsBond: Bool {
            renewBond ?? (passkeyFile != nil || characteristics.allSatisfy { $0.write == nil })
        }

        /// Whether the advertisements of the device are decoded.
        package var listensToAdvertisements: Bool {
            isObserved || readsAdvertisements || keyFile != nil
        }

        /// Whether the device is known by its advertisements only: it is never connected, or only for a command, and has no
        /// characteristics.
        package var isObserved: Bool {
            connect == .never || connect == .onDemand && characteristics.isEmpty
        }

        /// The values of advertised readings to keep while the broker is away; nil: the rule of ``Spool``.
        package var keepOfAdvertisements: Keep? { publish.keep ?? keep }

        /// The last levels of the device's topics, as far as they are known before the first advertisement.
        var topicNames: [String] {
            characteristics.map(\.topicName) + derivedValues.map(\.name)
                + advertisements.flatMap(\.quantities).map(\.name)
        }
    }
}
