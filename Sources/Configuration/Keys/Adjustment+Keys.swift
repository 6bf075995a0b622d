import Codec

extension Configuration.Adjustment {
    /// The corrections, in the order of the file.
    static let named: Kind<[Named<Rule>]> = .named(
        Self.ruleKind, form: "NAME: FORMULA, such as {temperature: value - 0.4}")

    private static let ruleKind = Kind<Rule>.either("formula, or list of [MEASURED, RIGHT]") { node in
        switch node.content {
        case .sequence: return points
        case .mapping:
            return Kind("formula") { node, mistakes in
                mistakes.report("expected a formula such as value - 0.4, found a mapping", at: node.position)
                return nil
            }
        case .scalar: return formula
        }
    }

    /// A formula over the value; `-0.4` alone would make each value -0.4.
    private static let formula: Kind<Rule> = Kind<Expression>.expression.map { formula throws(InvalidValue) in
        guard formula.names.isEmpty else { return Rule.formula(formula) }
        let (text, isNegative) = (formula.text, formula.text.hasPrefix("-"))
        let meant = isNegative ? "value - \(text.dropFirst())" : "value + \(text)"
        throw "the formula \(text.quotedForMessage) gives each value the same number: write \(meant)"
    }

    private static let points = Kind<[[Decimal]]>.list(of: Kind<[Decimal]>.list(of: Kind<Decimal>.number())).map {
        lists throws(InvalidValue) in
        var points: [Point] = []
        for list in lists {
            guard list.count == 2 else { throw "expected points such as [310, 0], found \(list.count) numbers in one" }
            let point = Point(measured: list[0], right: list[1])
            if let last = points.last, last.measured >= point.measured {
                throw "the measured values must rise: \(point.measured) follows \(last.measured)"
            }
            points.append(point)
        }
        if points.count < 2 { throw "expected at least two points, such as [[310, 0], [480, 50]]" }
        return Rule.points(points)
    }
}

extension Configuration.DerivedValue {
    enum Keys {
        static let value = Key(
            required: "value", .expression, example: "dew_point(temperature, humidity)",
            "The formula over values of the device: names of characteristics, CHARACTERISTIC.FIELD, CHARACTERISTIC_2 or "
                + "CHARACTERISTIC_2.FIELD for a number of ask.each, advertised quantities, and derived values above.")
        static let unit = Key("unit", .unit, example: "°C", "The unit.")
        static let maximumAge = Key(
            "max_age", .positiveDuration, default: "5m",
            "The age up to which a value of another packet is used; with an older one, nothing is published.")
        static let publish = Key(
            "publish", Configuration.PublishRules.kind, default: "{}", example: "{at_most_every: 1m}",
            "The rules for publishing its values.")

        static let section = Section(
            "derived value", value, unit, maximumAge, publish, Configuration.FieldLabel.Keys.deviceClass,
            Configuration.FieldLabel.Keys.stateClass, Configuration.FieldLabel.Keys.precision,
            Configuration.EntityLabel.Keys.title, Configuration.EntityLabel.Keys.icon,
            Configuration.EntityLabel.Keys.enabled,
            example: "{value: \"dew_point(temperature, humidity)\", unit: °C}",
            advice: ["formula": "write value: FORMULA", "format": "a derived value is a number: write value: FORMULA"])
    }

    /// The derived values by name, in the order of the file.
    static let named = Kind<[Named<Configuration.DerivedValue>]>.mappings(Keys.section) { name, reader in
        if let problem = TopicName.problem(inCharacteristicName: name.value) {
            reader.mistakes.report(problem, at: name.position)
        }
        guard let formula = reader[Keys.value] else { return nil }
        let label = Configuration.FieldLabel(reader)
        label?.check(formula.isCondition ? .boolean : .number, unit: reader[Keys.unit], reader)
        return Configuration.DerivedValue(
            name: name.value, formula: formula, unit: reader[Keys.unit], maximumAge: reader[Keys.maximumAge],
            publish: reader[Keys.publish], label: Configuration.EntityLabel(reader), fieldLabel: label)
    }
}
