import Codec

extension Configuration {
    /// An entry of the key `quantities`: how an advertised quantity is published, and how Home Assistant shows it.
    struct QuantityEntry {
        var rules = QuantityRules()
        var label: EntityLabel?
        /// The classes and the precision; nil if none is configured.
        var field: FieldLabel?
    }
}

extension Configuration.QuantityEntry {
    private enum Keys {
        static let unit = Key(
            "unit", .unit, example: "°F", "The unit to which the values are converted; that of the format if left out.")
        static let publish = Key(
            "publish", Configuration.PublishRules.kind, example: "{deadband: 0.5, at_least_every: 5m}",
            "The rules for publishing its values, in the place of those of the device.")
        static let keep = Key(
            "keep", Kind<Configuration.Keep>.word, example: "all",
            "The values to keep while the broker is away: newest, all or none; the device's rule if left out.")
        static let retain = Key(
            "retain", .boolean, example: "false",
            "Whether the broker retains the last value; true if left out. Events, such as a pressed button, are never retained."
        )
        static let qos = Key(
            "qos", .integer(0...2), example: "0", "The quality of service (QoS), 0 to 2; mqtt.qos if left out.")

        static let section = Section(
            "quantity", unit, publish, keep, retain, qos, Configuration.EntityLabel.Keys.title,
            Configuration.EntityLabel.Keys.icon, Configuration.EntityLabel.Keys.enabled,
            Configuration.FieldLabel.Keys.deviceClass, Configuration.FieldLabel.Keys.stateClass,
            Configuration.FieldLabel.Keys.precision, example: "{title: Soil moisture}",
            advice: [
                "scale": "write adjust: {NAME: value * 2} in the device",
                "offset": "write adjust: {NAME: value - 0.5} in the device",
                "value": "write adjust: {NAME: FORMULA} in the device",
                "decimals": "did you mean 'precision'?", "round": "did you mean 'precision'?",
                "unit_of_measurement": "did you mean 'unit'?", "label": "did you mean 'title'?",
                "name": "write title: NAME", "friendly_name": "write title: NAME",
            ])
    }

    /// The entries of advertised quantities, by the names of the quantities.
    static let named = Kind<[Named<Self>]>.named(kind, form: "NAME: {title: Soil moisture}, or NAME: none")

    private static let kind = Kind<Self>.either("quantity, or none", section: Keys.section) { node in
        guard case .scalar = node.content else { return mapping }
        return Kind("none") { node, mistakes in
            guard case .scalar("none", _) = node.content else {
                mistakes.report(
                    "expected none, which leaves the quantity out, or a mapping such as \(Keys.section.sample), found "
                        + node.summary, at: node.position)
                return nil
            }
            var entry = Self()
            entry.rules.isLeftOut = true
            return entry
        }
    }

    private static let mapping = Kind<Self>.mapping(Keys.section) { reader in
        var rules = Configuration.QuantityRules()
        rules.unit = reader[Keys.unit]
        rules.publish = reader[Keys.publish]
        rules.keep = reader[Keys.keep]
        rules.retain = reader[Keys.retain]
        rules.qos = reader[Keys.qos]
        let label = Configuration.EntityLabel(reader)
        let field = Configuration.FieldLabel(reader)
        if rules.unit != nil { field?.check(.number, unit: rules.unit, reader) }
        return Self(rules: rules, label: label.isEmpty ? nil : label, field: field)
    }
}
