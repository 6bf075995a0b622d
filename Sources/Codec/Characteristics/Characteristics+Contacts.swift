extension Characteristics {
    /// The characteristics for contacts, buttons, vectors, and identifiers of devices and objects.
    ///
    /// Source: GATT Specification Supplement.
    static let contacts: [CharacteristicDefinition] = [
        .record(
            "contact_status_8",
            bits((0..<8).map { .names("contact_\($0)_status", $0...$0, .reserved("open closed")) })),
        .record(
            "pushbutton_status_8",
            bits(
                (0..<4).map {
                    .names(
                        "button_\($0)_status", 2 * $0...2 * $0 + 1, .reserved("not_actuated pressed released held"))
                })),
        .record(
            "acceleration_3d",
            axes("vector_x vector_y vector_z", .sint8, 0.01, "g₀", unknown: [0x7F, 0x7E])),
        .record(
            "precise_acceleration_3d",
            axes("vector_x vector_y vector_z", .sint16, 0.001, "g₀", unknown: [0x7FFF, 0x7FFE])),
        .record("magnetic_flux_density_2d", axes("x_axis y_axis", .sint16, 0.0000001, "T")),
        .record("magnetic_flux_density_3d", axes("x_axis y_axis z_axis", .sint16, 0.0000001, "T")),
        .record(
            "pnp_id",
            .names("vendor_id_source", .reserved(from: 1, "bluetooth_sig usb_implementers_forum")),
            .number("vendor_id", .uint16), .number("product_id", .uint16), .number("product_version", .uint16)),
        CharacteristicDefinition("object_type", [.uuid("object_type")]),
        CharacteristicDefinition(
            "ieee_11073_20601_regulatory_certification_data_list",
            [.bytes("ieee_11073_20601_regulatory_certification_data_list")]),
        CharacteristicDefinition("preferred_units", [.uuid("units", length: 2).toTheEnd]),
        .record("udi_for_medical_devices", [.flags(.uint8)], udi),
    ]

    private static func bits(_ bits: [BitField]) -> [Field] {
        [.bits(.uint8, bits)]
    }

    private static func axes(
        _ names: String, _ type: NumberType, _ scale: Decimal, _ unit: String, unknown: [Int128] = []
    ) -> [Field] {
        names.split(separator: " ").map {
            .number(String($0), type, scale, unit, unknown: unknown, kind: .measurement)
        }
    }

    private static let udi = ["udi_label", "udi_device_identifier", "udi_issuer", "udi_authority"].enumerated().map {
        Field($0.element, .terminatedText(by: 0)).ifBit($0.offset)
    }
}
