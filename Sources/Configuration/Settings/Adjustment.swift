package import Codec

extension Configuration {
    /// The correction of a value before it is published: an entry of the key `adjust`.
    package struct Adjustment: Sendable, Equatable {
        /// A measured value and the right one.
        package struct Point: Sendable, Equatable {
            package let measured: Decimal
            package let right: Decimal

            package init(measured: Decimal, right: Decimal) {
                self.measured = measured
                self.right = right
            }
        }

        package enum Rule: Sendable, Equatable {
            /// A formula with the names `value` and those of the other values of the same packet.
            case formula(Expression)
            /// At least two points in ascending order of the measured value: straight lines between them, and the outer
            /// lines continued.
            case points([Point])
        }

        /// The name of a characteristic or an advertised quantity, or CHARACTERISTIC.FIELD.
        package let name: String
        package let rule: Rule

        package init(name: String, rule: Rule) {
            self.name = name
            self.rule = rule
        }
    }

    /// A value that is calculated from other values of the device: an entry of the key `derive`.
    package struct DerivedValue: Sendable, Equatable {
        /// The last levels of the value's topic.
        package let name: String
        /// A formula with the names of characteristics (CHARACTERISTIC.FIELD if it has several fields), advertised
        /// quantities and derived values above.
        package let formula: Expression
        package let unit: String?
        /// The age up to which the value of another packet is used.
        package let maximumAge: Duration
        package let publish: PublishRules
        /// How Home Assistant shows the entity.
        package let label: EntityLabel
        /// How Home Assistant shows the value; nil: by its unit.
        package let fieldLabel: FieldLabel?

        package init(
            name: String, formula: Expression, unit: String?, maximumAge: Duration, publish: PublishRules,
            label: EntityLabel, fieldLabel: FieldLabel?
        ) {
            self.name = name
            self.formula = formula
            self.unit = unit
            self.maximumAge = maximumAge
            self.publish = publish
            self.label = label
            self.fieldLabel = fieldLabel
        }

        /// Returns the same value with another formula.
        func with(formula: Expression) -> DerivedValue {
            DerivedValue(
                name: name, formula: formula, unit: unit, maximumAge: maximumAge, publish: publish, label: label,
                fieldLabel: fieldLabel)
        }
    }
}
