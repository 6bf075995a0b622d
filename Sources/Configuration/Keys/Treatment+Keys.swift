import Codec

extension Configuration.Treatment {
    enum Keys {
        static let connect = Key(
            "connect", Kind<Configuration.ConnectPolicy>.connect, default: "always", example: "every 10m",
            "When to connect: always, every so often, on demand (for a command), or never (advertisements only).")
        static let until = Key(
            "until",
            .list(
                of: Kind.text.located, whenEmpty: "nothing to collect: name a characteristic, or leave the key out"),
            example: "[temperature, humidity]",
            "The characteristics that end a collecting session when each has given a value; all that are read or "
                + "subscribed if left out.")
        static let within = Key(
            "within", .positiveDuration, default: "30s", "How long a collecting session may take.")
        static let hold = Key(
            "hold", .duration, default: "10s", "How long a connection stays after the command it was made for.")
        static let quiet = Key(
            "quiet", .positiveDuration, example: "5m",
            "Disconnect when nothing has been notified for so long; never if left out.")
        static let pair = Key("pair", .boolean, default: "false", example: "true", "Whether the device wants a bond.")
        static let passkeyFile = Key(
            "passkey_file", .secret(Secret.passkey),
            example: "/etc/bluefleet/keys/lock.passkey",
            "The file that holds the passkey for the bond.")
        static let keyFile = Key(
            "key_file", .secret(Secret.advertisementKey),
            example: "/etc/bluefleet/keys/ruuvi.key",
            "The file that holds the key of encrypted advertisements.")
        static let characteristics = Key(
            "characteristics", Configuration.Characteristic.named, default: "{}",
            example: "{temperature: {service: 181A, uuid: 2A6E, subscribe: true}}",
            "What is read, subscribed and written, each under the name that its topic ends in.")

        static let advertisement = Key(
            "advertisement", .oneOrMore(AdvertisementFormat.kind), default: "[]",
            example: "{company: 0x0499, starts_with: \"05\", format: [{name: level, type: uint8}]}",
            "How advertisements of the device are read that this release does not know, or a list of such formats.")

        static let publish = Key(
            "publish", Configuration.PublishRules.kind, default: "{}", example: "{at_most_every: 1m}",
            "Which readings of its advertisements are published, and how; those of characteristics have rules of their own."
        )

        static let section = Section(
            "profile", connect, until, within, hold, quiet, pair, passkeyFile, keyFile, characteristics, advertisement,
            publish)
    }

    /// What a profile says; whether its parts go together shows in the devices that use it.
    static let profile = Kind.mapping(Keys.section) { reader in Configuration.TreatmentEntry(reader) }
}
