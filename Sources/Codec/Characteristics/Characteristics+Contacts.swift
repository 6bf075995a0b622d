extension Characteristics {
    /// Contacts and buttons, three-dimensional quantities, and what fits nowhere else.
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
        .value("object_type", .uuid),
        .value("ieee_11073_20601_regulatory_certification_data_list", .bytes),
        CharacteristicDefinition("preferred_units", [uuids("units").toTheEnd]),
        .record("udi_for_medical_devices", [.flags(.uint8)], udi),
    ]

    private static func bits(_ bits: [BitField]) -> [Field] {
        var field = Field("flags", .uint8)
        field.bits = bits
        return [field]
    }

    private static func axes(
        _ names: String, _ type: FieldType, _ scale: Decimal, _ unit: String, unknown: [Int128] = []
    ) -> [Field] {
        names.split(separator: " ").map {
            .number(String($0), type, scale, unit, unknown: unknown, homeAssistant: .plain)
        }
    }

    /// UUIDs of two bytes each.
    private static func uuids(_ name: String) -> Field {
        var field = Field(name, .uuid)
        field.length = 2
        return field
    }

    private static let udi = ["udi_label", "udi_device_identifier", "udi_issuer", "udi_authority"].enumerated().map {
        Field($0.element, .utf8z).ifBit($0.offset)
    }
}
