/// The names of Victron's products with instant readout, by their product ids.
///
/// Source: the product ids in Victron's programs; keshavdv/victron-ble.
enum VictronProducts {
    static let names: NamedValues = {
        var names: [Int: String] = [:]
        for (first, family, models) in families {
            for (offset, model) in models.split(separator: ",").enumerated() {
                names[first + offset] = family + " " + model.drop { $0 == " " || $0 == "\n" }
            }
        }
        return NamedValues(names).withoutNumbers
    }()

    /// The product families: the first product id, the name, and the models with consecutive product ids.
    private static let families = [
        (
            0xA040, "BlueSolar Charger MPPT",
            """
            75/50, 150/35 rev1, 75/15, 100/15, 100/30 rev1, 100/50 rev1, 150/70, 150/100, 75/50 rev2, 100/50 rev2,
            100/30 rev2, 150/35 rev2, 75/10, 150/45, 150/60, 150/85
            """
        ),
        (
            0xA050, "SmartSolar Charger MPPT",
            """
            250/100, 150/100, 150/85, 75/15, 75/10, 100/15, 100/30, 100/50, 150/35, 150/100 rev2, 150/85 rev2, 250/70,
            250/85, 250/60, 250/60, 100/20, 100/20 48V, 150/45, 150/60, 150/70, 250/85 rev2, 250/100 rev2
            """
        ),
        (0xA066, "BlueSolar Charger MPPT", "100/20, 100/20 48V"),
        (
            0xA068, "SmartSolar Charger MPPT",
            "250/60 rev2, 250/70 rev2, 150/45 rev2, 150/60 rev2, 150/70 rev2, 150/85 rev3, 150/100 rev3"
        ),
        (0xA06F, "BlueSolar Charger MPPT", "150/45 rev2, 150/60 rev2, 150/70 rev2, 150/45 rev3"),
        (0xA073, "SmartSolar Charger MPPT", "150/45 rev3, 75/10 rev2, 75/15 rev2"),
        (
            0xA076, "BlueSolar Charger MPPT",
            "100/30 rev3, 100/50 rev3, 150/35 rev3, 75/10 rev2, 75/15 rev2, 100/15 rev2, 75/10 rev3, 75/15 rev3"
        ),
        (0xA07E, "SmartSolar Charger MPPT", "100/30 12V"),
        (
            0xA0E0, "Smart Lithium Battery",
            """
            12.8V/90Ah, 12.8V/60Ah, 12.8V/160Ah, 12.8V/200Ah, 12.8V/300Ah, 12.8V/100Ah, 12.8V/200Ah, 12.8V/300Ah,
            12.8V/100Ah, 12.8V/150Ah, 25.6V/200Ah, 12.8V/200Ah, 12.8V/160Ah, 12.8V/50Ah, 25.6V/200Ah, 25.6V/100Ah,
            12.8V/330Ah, 25.6V/330Ah, 12.8V/300Ah
            """
        ),
        (0xA101, "BlueSolar Charger MPPT", "150/85"),
        (
            0xA102, "SmartSolar MPPT VE.Can",
            """
            150/70, 150/45, 150/60, 150/85, 150/100, 250/45, 250/60, 250/70, 250/85, 250/100, 150/70 rev2, 150/85 rev2,
            150/100 rev2
            """
        ),
        (0xA10F, "BlueSolar MPPT VE.Can", "150/100"),
        (0xA110, "SmartSolar MPPT RS", "450/100, 450/200"),
        (0xA112, "BlueSolar MPPT VE.Can", "250/70, 250/100"),
        (0xA114, "SmartSolar MPPT VE.Can", "250/70 rev2, 250/100 rev2, 250/85 rev2"),
        (0xA117, "BlueSolar MPPT VE.Can", "150/100 rev2"),
        (0xA380, "BMV-710", "Smart"),
        (0xA381, "BMV-712", "Smart"),
        (0xA382, "BMV-710H", "Smart"),
        (0xA383, "BMV-712", "Smart"),
        (0xA389, "SmartShunt", "500A/50mV, 1000A/50mV, 2000A/50mV"),
        (0xA38C, "SmartShunt IP67", "500A/50mV, 1000A/50mV, 2000A/50mV"),
        (0xA3A0, "VE.Bus", "Smart dongle"),
        (0xA3A4, "Smart", "Battery Sense, Battery Sense (Rev2)"),
        (0xA3B0, "Smart BatteryProtect", "12/24V-65A, 12/24V-100A, 12/24V-220A, 48V-100A"),
        (
            0xA3C0, "Orion Smart DC-DC Converter",
            """
            12V/12V-18A, 12V/24V-10A, 24V/12V-20A, 24V/24V-12A, 24V/48V-6A, 48V/12V-20A, 48V/24V-12A, 48V/48V-6A,
            12V/12V-30A, 12V/24V-15A, 24V/12V-30A, 24V/24V-17A, 24V/48V-8.5A, 48V/12V-30A, 48V/24V-16A, 48V/48V-8A
            """
        ),
        (0xA3D0, "Orion Smart Buck-Boost Converter", "12V/12V-30A, 12V/24V-15A, 24V/12V-30A, 24V/24V-17A"),
        (0xA3E5, "Lynx Smart BMS", "500, 1000"),
        (0xA3F0, "Smart Buckboost", "12V/12V-50A"),
        (0xA3F1, "Orion XS 1400", "12-24V/12-24V-50A"),
        (0xA401, "Inverter RS", "Solar 48V/6000VA/80A, 48V/6000VA"),
        (0xA441, "Multi RS Solar", "48V/6000VA/100A, 48V/6000VA/100A, 48V/6000VA/100A, 48V/6000VA/100A"),
        (0xC030, "SmartShunt IP65", "500A/50mV, 1000A/50mV, 2000A/50mV"),
    ]
}
