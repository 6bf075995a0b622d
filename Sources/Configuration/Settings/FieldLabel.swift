package import Codec

extension Configuration {
    /// How Home Assistant shows the values of a field; nil values are derived from the field.
    package struct FieldLabel: Sendable, Equatable {
        /// The state class of a number in Home Assistant, which decides about its statistics.
        package enum StateClass: String, Sendable, CaseIterable {
            case measurement, total
            case measurementAngle = "measurement_angle"
            case totalIncreasing = "total_increasing"
        }

        package let deviceClass: String?
        package let stateClass: StateClass?
        /// The number of decimal places that Home Assistant shows.
        package let precision: Int?
        /// The difference between two numbers that a person can choose; nil: the scale.
        package let step: Decimal?
        /// The name, the icon and the initial state of the field's entity.
        package let entity: EntityLabel?
    }
}

extension Configuration.FieldLabel {
    /// Returns the name in the labels of a format for a member of a record; `record` has such a name too.
    package static func name(of member: String, in record: String) -> String { "\(record).\(member)" }

    /// Returns the label, with the values of another label in the place of those that are nil.
    package func merged(over other: Self?) -> Self {
        Self(
            deviceClass: deviceClass ?? other?.deviceClass, stateClass: stateClass ?? other?.stateClass,
            precision: precision ?? other?.precision, step: step ?? other?.step, entity: entity ?? other?.entity)
    }
}

extension Configuration.FieldLabel.StateClass {
    /// Returns the state classes that Home Assistant 2026.11 allows for a device class, the usual one first.
    package static func allowed(for deviceClass: String) -> [Self] {
        switch deviceClass {
        case "energy", "gas", "reactive_energy", "volume", "water": [.totalIncreasing, .total]
        case "monetary": [.total]
        case "wind_direction": [.measurementAngle]
        case "area", "data_size", "distance", "duration", "precipitation", "weight":
            [.measurement, .total, .totalIncreasing]
        case "date", "enum", "timestamp", "uptime": []
        default: [.measurement]
        }
    }
}
