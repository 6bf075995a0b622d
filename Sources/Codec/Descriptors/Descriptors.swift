package import Bluetooth

/// The descriptors whose layout the Bluetooth SIG defines.
///
/// Source: Core Specification, Vol 3, Part G, 3.3.3, and the GATT Specification Supplement.
package enum Descriptors {
    /// Returns the definition of the descriptor with a UUID; nil if the table has none.
    package static func definition(of uuid: UUID) -> CharacteristicDefinition? {
        byUUID[uuid]
    }

    /// The definitions of all descriptors in the table.
    package static let all: [CharacteristicDefinition] = [
        row(
            "characteristic_extended_properties",
            [.bits(.uint16, .shown("reliable_write", 0), .shown("writable_auxiliaries", 1))]),
        row("characteristic_user_description", [.text("characteristic_user_description")]),
        row(
            "client_characteristic_configuration",
            [.bits(.uint16, .shown("notifications", 0), .shown("indications", 1))]),
        row("server_characteristic_configuration", [.bits(.uint16, .shown("broadcasts", 0))]),
        row("characteristic_presentation_format", PresentationFormat.fields),
        row("characteristic_aggregate_format", [.number("handles", .uint16).toTheEnd]),
        row("external_report_reference", [.uuid("uuid")]),
        row(
            "report_reference",
            [.number("report_id", .uint8), .names("report_type", .reserved(from: 1, "input output feature"))]),
        row("number_of_digitals", [.number("number_of_digitals", .uint8)]),
        row("environmental_sensing_configuration", [.names("trigger_logic", .reserved("and or"))]),
        row(
            "environmental_sensing_measurement",
            [
                .number("flags", .uint16).hidden,
                .names(
                    "sampling_function",
                    .open(
                        """
                        unspecified instantaneous arithmetic_mean rms maximum minimum accumulated count
                        """)),
                .number("measurement_period", .uint24, 1, "s", unknown: [0]),
                .number("update_interval", .uint24, 1, "s", unknown: [0]), .number("application", .uint8),
                .number("measurement_uncertainty", .uint8, 0.5, "%", unknown: [0xFF]),
            ]),
        row(
            "environmental_sensing_trigger_setting",
            [
                .names(
                    "condition",
                    .reserved(
                        """
                        inactive fixed_interval not_less_than_interval on_change less_than less_than_or_equal
                        greater_than greater_than_or_equal equal not_equal
                        """)),
                .number("seconds", .uint24, 1, "s").when("condition", is: 1),
                .number("seconds", .uint24, 1, "s").when("condition", is: 2), .bytes("value").optional,
            ]),
    ]

    private static let byUUID = Dictionary(uniqueKeysWithValues: all.map { ($0.uuid, $0) })

    private static func row(_ name: String, _ fields: [Field]) -> CharacteristicDefinition {
        guard let uuid = AssignedNumbers.descriptors[name] else {
            preconditionFailure("the table defines \(name), which is not among the assigned numbers")
        }
        return CharacteristicDefinition(uuid: uuid, name: name, format: Format(fields))
    }
}
