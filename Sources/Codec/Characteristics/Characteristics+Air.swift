extension Characteristics {
    /// What is in the air.
    static let air: [CharacteristicDefinition] = [
        .number("co2_concentration", .uint16, "ppm", unknown: 0xFFFF, 0xFFFE, homeAssistant: .carbonDioxide),
        .number("voc_concentration", .uint16, "ppb", unknown: 0xFFFF, 0xFFFE, homeAssistant: .volatileParts),
        .number("ammonia_concentration", .medfloat16, "kg/m³", homeAssistant: .plain),
        .number("carbon_monoxide_concentration", .medfloat16, "kg/m³", homeAssistant: .carbonMonoxide),
        .number("methane_concentration", .medfloat16, "ppb", homeAssistant: .plain),
        .number("nitrogen_dioxide_concentration", .medfloat16, "kg/m³", homeAssistant: .nitrogenDioxide.fromKilograms),
        .number(
            "non_methane_volatile_organic_compounds_concentration", .medfloat16, "kg/m³",
            homeAssistant: .volatile.fromKilograms),
        .number("ozone_concentration", .medfloat16, "kg/m³", homeAssistant: .ozone.fromKilograms),
        .number("particulate_matter_pm1_concentration", .medfloat16, "kg/m³", homeAssistant: .pm1.fromKilograms),
        .number("particulate_matter_pm2_5_concentration", .medfloat16, "kg/m³", homeAssistant: .pm25.fromKilograms),
        .number("particulate_matter_pm10_concentration", .medfloat16, "kg/m³", homeAssistant: .pm10.fromKilograms),
        .number("sulfur_dioxide_concentration", .medfloat16, "kg/m³", homeAssistant: .sulphurDioxide.fromKilograms),
        .number("sulfur_hexafluoride_concentration", .medfloat16, "kg/m³", homeAssistant: .plain),
    ]
}
