import Codec

extension Configuration.DeviceSettings {
    enum Keys {
        static let connect = Key(
            "connect", Kind<Configuration.ConnectPolicy>.connect, default: "always", example: "every 10m",
            "When to connect: always, every DURATION, on demand (for a command), or never (advertisements only). For a device "
                + "without characteristics, on demand: its advertisements are read, and a connection is made only for a "
                + "command.")
        static let until = Key(
            "until",
            .list(
                of: Kind.text.located, whenEmpty: "the list is empty: name a characteristic, or remove the key"),
            example: "[temperature, humidity]",
            "With connect: every DURATION, disconnect when each of these characteristics has a value; all that are read or "
                + "subscribed if left out.")
        static let within = Key(
            "within", .positiveDuration, default: "30s",
            "With connect: every DURATION, the maximum duration of a session.")
        static let hold = Key(
            "hold", .duration, default: "10s",
            "With connect: on demand, how long the connection stays open after a command.")
        static let quiet = Key(
            "quiet", .positiveDuration, example: "5m",
            "Disconnect after this time without a notification; never if left out.")
        static let expect = Key(
            "expect", .positiveDuration, example: "30m",
            "With connect: always or never, the longest time without a value or an advertisement, after which the device is "
                + "stale. If left out, it is learned from regular values and advertisements; an advertiser without a regular "
                + "interval is stale after 24h.")
        static let occasional = Key(
            "occasional", .boolean, default: "false", example: "true",
            "Whether the device is switched off most of the time, e.g. a scale or a blood pressure monitor. While it is not "
                + "seen, it is asleep in the place of offline or stale, and its readings stay.")
        static let pair = Key(
            "pair", .boolean, default: "false", example: "true", "Whether the device requires a bond.")
        static let renewBond = Key(
            "renew_bond", .boolean, example: "false",
            "With pair: true, whether a bond that the device no longer accepts is replaced without a request. With false, "
                + "another device with the same address cannot get a bond: the requests unpair and pair replace it. If left "
                + "out: false if a characteristic can be written and there is no passkey_file, otherwise true.")
        static let passkeyFile = Key(
            "passkey_file", .secret(Secret.passkey),
            example: "/etc/bluefleet/keys/lock.passkey",
            "The file with the passkey for the bond.")
        static let keyFile = Key(
            "key_file", .secret(Secret.advertisementKey),
            example: "/etc/bluefleet/keys/thermometer.key",
            "The file with the key of encrypted advertisements.")
        static let characteristics = Key(
            "characteristics", Configuration.Characteristic.named, default: "{}",
            example: "{temperature: {service: 181A, uuid: 2A6E, subscribe: true}}",
            "The characteristics by name; the name is the end of the topic.")

        static let ask = Key(
            "ask", Configuration.Question.defaults, example: "{service: FFF0, to: FFF2}",
            "The defaults for the questions of the characteristics: each key applies unless the key ask of the characteristic has "
                + "its own; none removes it there.")
        static let answer = Key(
            "answer", Configuration.Answer.defaults, example: "{from: FFF1, checksum: sum}",
            "The defaults for the answers, in the same way.")
        static let first = Key(
            "first", Configuration.FirstQuestion.list, example: "[{ask: {hex: \"2107\"}}]",
            "Questions after each connection, before all others, e.g. a login; they inherit only service, to, from, response and by. If "
                + "one is refused or not answered, the connection ends.")
        static let endian = Key(
            "endian", Kind<Field.Endian>.endian, default: "little", example: "big",
            "The byte order of the numbers in the formats of questions, answers and characteristics, unless they have their own."
        )
        static let pinFile = Key(
            "pin_file", .secret(Secret.pin), example: "/etc/bluefleet/keys/battery.pin",
            "The file with the PIN of the device, which questions can use by the name pin: a text of up to 64 bytes.")
        static let cipher = Key(
            "cipher", Configuration.Cipher.kind, example: "{aes: cbc, key_file: /etc/bluefleet/keys/battery.key}",
            "The cipher of questions and answers: each question, notification and read answer is one message of a multiple of 16 "
                + "bytes, which is decrypted before frames are found in it.")

        static let with = Key(
            "with", Kind<[Named<String>]>.parameters, default: "{}", example: "{station: 1}",
            "Numbers and texts that the formulas of questions and answers can use, by their names: the parameters of the profile. "
                + "The formulas, conditions, lengths and counts of other formats can use the numbers, and so can adjust and derive."
        )

        static let advertisement = Key(
            "advertisement", Kind<[Configuration.AdvertisementEntry]?>.advertisements, default: "false",
            example: "{company: 0x0499, starts_with: \"05\", format: [{name: level, type: uint8}]}",
            "The format of advertisements that Bluefleet does not support by itself, or a list of formats; true: the device's "
                + "advertisements have a built-in format and are read in addition to its characteristics.")

        static let medium = Key(
            "medium", Kind<TankMedium>.word, example: "water",
            "The medium in the tank, from which a Mopeka sensor's level is calculated; if left out, the medium for which the "
                + "model is made, and no level for a model that is made for several.")

        static let publish = Key(
            "publish", Configuration.PublishRules.kind,
            default: "{on_change: true, at_most_every: 5s, at_least_every: 5m}", example: "{at_most_every: 1m}",
            "The rules for publishing advertised readings; each characteristic has its own rules. By default, changed booleans "
                + "and names are published at once. Events are always published.")

        static let keep = Key(
            "keep", Kind<Configuration.Keep>.word, example: "all",
            "The values to keep while the broker is away: newest, all or none; spool.keep if left out.")

        static let adjust = Key(
            "adjust", Configuration.Adjustment.named, default: "{}",
            example: "{temperature: value - 0.4, tank: [[310, 0], [720, 100]]}",
            "Corrections by the name of a characteristic, CHARACTERISTIC.FIELD or an advertised quantity: a formula in value and "
                + "the other values of the packet, or points [MEASURED, RIGHT] with straight lines between them.")
        static let derive = Key(
            "derive", Configuration.DerivedValue.named, default: "{}",
            example: "{dew_point: {value: \"dew_point(temperature, humidity)\", unit: °C}}",
            "Values that are calculated from corrected values of the device; each has a topic of its own.")

        static let title = Key("title", .text, example: "Greenhouse", "The name that Home Assistant shows.")
        static let area = Key(
            "area", .text, example: "Garden",
            "The area that is suggested to Home Assistant for a new device; a later change has no effect there.")
        static let icon = Key(
            "icon", .icon, example: "mdi:sprout",
            "The icon in Home Assistant, for entities without an icon and a device class of their own.")
        static let manufacturer = Key(
            "manufacturer", .text, example: "Xiaomi",
            "The manufacturer that Home Assistant shows; if left out, what the device reports or its advertisements show."
        )
        static let model = Key(
            "model", .text, example: "HHCCJCY01",
            "The model that Home Assistant shows; if left out, as for manufacturer.")
        static let quantities = Key(
            "quantities", Configuration.QuantityEntry.named, default: "{}",
            example: "{temperature: {unit: °F, title: Soil}, humidity: none}",
            "How advertised quantities are published, and how Home Assistant shows them, by their names; none leaves one out."
        )

        static let section = Section(
            "profile", connect, until, within, hold, quiet, expect, occasional, pair, renewBond, passkeyFile, keyFile,
            pinFile, cipher, with, ask, answer, first, endian, characteristics, advertisement, medium, publish, keep,
            adjust, derive, quantities, title, area, icon, manufacturer, model)

        /// The keys of a profile.
        static let profile = Section(
            section.name, rows: [Profile.key.row] + section.rows,
            advice: Configuration.DeviceSettings.advice.merging(["address": "it belongs into a device"]) { $1 })
        static let characteristicOptions = Key(
            "characteristics", Configuration.CharacteristicOptions.named, default: "{}",
            example: "{temperature: {title: Air}}", "Settings of single characteristics, by their names.")

        /// The keys that can be changed while the gateway runs.
        static let options = Section(
            "options", connect, until, within, hold, quiet, expect, occasional, pair, characteristicOptions, publish,
            keep,
            adjust, quantities, title, area, icon, manufacturer, model)
    }

    /// The settings of a profile.
    ///
    /// Conflicts between the settings are reported for the devices that use the profile.
    static let profile = Kind.mapping(Keys.profile) { reader in Configuration.DeviceSettingsEntry(reader) }
}

extension Kind where Value == [Named<String>] {
    /// The values of names in formulas, which must not replace the names of every device.
    fileprivate static var parameters: Kind {
        Kind("mapping of names to text") { node, mistakes in
            let form = "PARAMETER: VALUE, such as {station: 1}"
            guard let nodes = node.entries(mistakes, expecting: form, areNamed: true) else { return nil }
            let entries = nodes.compactMap { entry -> Named<String>? in
                // A parameter that has no value is reported where the profile is named.
                let text = entry.value.isNull ? "" : Kind<String>.text.read(entry.value, mistakes)
                return text.map { Named(name: entry.key, position: entry.keyPosition, value: $0) }
            }
            for entry in entries where ExchangeNames.common.contains(entry.name) {
                mistakes.report(
                    "\(entry.name.quotedForMessage) is a name of every device: rename the parameter", at: entry.position
                )
            }
            return entries
        }
    }
}
