extension AdvertisementFormat {
    /// The maker of a device and, if the format or the packets show it, the model.
    package struct Maker: Hashable, Sendable {
        package let manufacturer: String
        package let model: String?
        /// The product id in the packets as a hexadecimal number, such as `0x0098`.
        package let modelID: String?

        package init(manufacturer: String, model: String?, modelID: String? = nil) {
            self.manufacturer = manufacturer
            self.model = model
            self.modelID = modelID
        }
    }

    /// Returns the maker of the devices that use a format; nil for a format that several makers use.
    ///
    /// - Parameters:
    ///   - format: the name of the format, such as `govee_h5075`.
    ///   - product: the maker's number of the product in the packets; nil if they contain none.
    /// - Returns: The maker.
    package static func maker(of format: String, product: Int? = nil) -> Maker? {
        if let product, format == "mibeacon" {
            let digits = String(product, radix: 16, uppercase: true)
            let id = "0x" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
            return Maker(manufacturer: "Xiaomi", model: XiaomiProducts.models[product], modelID: id)
        }
        let words = format.split(separator: "_", maxSplits: 1).map(String.init)
        guard let manufacturer = manufacturers[words[0]] else { return nil }
        guard let model = models[format] else {
            let number = words.count > 1 && words[1].contains(where: \.isNumber) ? words[1].uppercased() : nil
            return Maker(manufacturer: manufacturer, model: namesModels.contains(words[0]) ? number : nil)
        }
        return Maker(manufacturer: manufacturer, model: model)
    }

    /// The manufacturers, by the first word of the names of their formats.
    private static let manufacturers = [
        "amphiro": "Amphiro", "apple": "Apple", "aranet2": "SAF Tehnika", "aranet4": "SAF Tehnika",
        "aranet": "SAF Tehnika", "bluemaestro": "Blue Maestro", "broodminder": "BroodMinder", "ecoflow": "EcoFlow",
        "ela": "ELA Innovation", "govee": "Govee", "hobo": "Onset", "inkbird": "Inkbird", "kegtron": "Kegtron",
        "mi": "Xiaomi", "mibeacon": "Xiaomi", "miflora": "Xiaomi", "mikrotik": "MikroTik", "mokosmart": "MokoSmart",
        "mopeka": "Mopeka", "nodon": "NodOn", "oras": "Oras", "otodata": "Otodata", "polar": "Polar",
        "qingping": "Qingping", "ruuvi": "Ruuvi Innovations", "sensirion": "Sensirion", "sensorpro": "SensorPro",
        "sensorpush": "SensorPush", "shelly": "Shelly", "switchbot": "SwitchBot", "thermobeacon": "ThermoBeacon",
        "thermopro": "ThermoPro", "victron": "Victron Energy",
        "ab": "April Brother", "april": "April Brother", "beewi": "BeeWi", "bm2": "Leagend", "bm6": "Leagend",
        "feasybeacon": "Feasycom", "g": "Gigaset", "holyiot": "HolyIoT", "inode": "iNode", "itag": "iTAG",
        "jaalee": "Jaalee", "kkm": "KKM", "leaone": "Leaone", "microsoft": "Microsoft", "moat": "Moat",
        "mokobeacon": "MokoSmart", "nut": "Nut", "nutale": "Nutale", "oralb": "Oral-B", "rdl52832": "RadioLand",
        "skale": "Atomax", "smartdry": "SmartDry", "ticwatch": "Mobvoi", "tile": "Tile", "tilt": "Tilt",
        "atmotube": "Atmotube", "enocean": "EnOcean", "safiery": "Safiery", "xoss": "XOSS",
        "acconeer": "Acconeer", "airmentor": "Air Mentor", "almendo": "Almendo", "beckett": "Beckett",
        "blustream": "Blustream", "br": "BR",
        "chefiq": "Chef iQ", "combustion": "Combustion", "eufy": "Eufy", "fjaraskupan": "Fjäråskupan",
        "garnet": "Garnet", "gobius": "Gobius", "grundfos": "Grundfos", "hormann": "Hörmann", "jinou": "Jinou",
        "laica": "Laica", "michelin": "Michelin", "minew": "Minew", "mocreo": "MOCREO", "okok": "OKOK",
        "rapt": "RAPT", "relsib": "Relsib", "schneider": "Schneider Electric", "senssun": "Senssun", "tandd": "T&D",
        "teltonika": "Teltonika", "unit": "UNI-T", "vchon": "VCHON",
    ]

    /// The first words of the formats whose second word is the number of a model.
    private static let namesModels: Set = [
        "govee", "inkbird", "thermopro", "sensorpro", "hobo", "grundfos", "jinou", "mocreo", "unit", "vchon",
    ]

    private static let models = [
        "aranet2": "Aranet2", "aranet4": "Aranet4", "aranet_radiation": "Aranet Radiation",
        "aranet_radon": "Aranet Radon+", "miflora_2": "MiFlora", "mi_scale": "Mi Smart Scale",
        "mi_body_composition_scale": "Mi Body Composition Scale", "mi_band": "Mi Band", "mi_band_steps": "Mi Band",
        "ruuvi_3": "RuuviTag", "ruuvi_5": "RuuviTag", "switchbot_meter": "Meter", "switchbot_bot": "Bot",
        "switchbot_curtain": "Curtain", "switchbot_contact_sensor": "Contact Sensor",
        "switchbot_motion_sensor": "Motion Sensor", "switchbot_meter_pro": "Meter Pro",
    ]
}
