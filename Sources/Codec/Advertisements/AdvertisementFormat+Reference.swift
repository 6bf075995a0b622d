/// The facts about a format that the list of supported devices shows.
extension AdvertisementFormat {
    /// Whether the packets of a format are encrypted with a key of the device.
    package enum Encryption: Hashable, Sendable {
        /// No packet needs a key.
        case never
        /// Some packets need a key.
        case sometimes
        /// Every packet needs a key.
        case always
    }

    package var encryption: Encryption {
        // The key of a reversed block is in the packet itself.
        guard let cipher, cipher.mode.needsKey else { return .never }
        return cipher.flag == nil ? .always : .sometimes
    }

    /// The group of the format in the list of supported devices: the maker, or the name of a common protocol.
    package var family: String {
        Self.maker(of: name)?.manufacturer ?? Self.protocols[firstWord] ?? "Other devices"
    }

    /// The device or the kind of packet, e.g.
    ///
    /// `Smart Thermostat Radiator`. It is derived from the name of the format if no row gives one.
    package var device: String {
        if firstWord == "sensirion" { return "gadgets with sample type \(name.dropFirst(10).uppercased())" }
        if let device = Self.devices[name] ?? Self.maker(of: name)?.model { return device }
        let words = name.split(separator: "_").map(String.init)
        let rest = words.count > 1 && Self.maker(of: name) != nil ? Array(words.dropFirst()) : words
        return rest.map(Self.capitalized).joined(separator: " ")
    }

    /// The models of a family whose packets contain a product number, sorted; empty for all other families.
    package static func products(of family: String) -> [String] {
        switch family {
        case "Xiaomi": xiaomiModels
        case "Victron Energy": victronModels
        default: []
        }
    }

    private var firstWord: String { String(name.prefix { $0 != "_" }) }

    private static func capitalized(_ word: String) -> String {
        if let abbreviation = abbreviations[word] { return abbreviation }
        return word.contains(where: \.isNumber) ? word.uppercased() : word.prefix(1).uppercased() + word.dropFirst()
    }

    private static let abbreviations = [
        "ac": "AC", "bms": "BMS", "co2": "CO₂", "dc": "DC", "iam": "IAM", "ibbq": "iBBQ", "ibs": "IBS", "pm": "PM",
        "rs": "RS", "th": "TH", "tpms": "TPMS", "ve": "VE", "wifi": "WiFi", "xs": "XS", "cold": "cold",
    ]

    /// The protocols of several makers, by the first word of the names of their formats.
    private static let protocols = [
        "altbeacon": "Beacons", "atc1441": "ATC and PVVX firmware", "b": "b-parasite",
        "battery": "Standard service data",
        "bthome": "BTHome", "eddystone": "Beacons", "exposure": "Beacons", "humidity": "Standard service data",
        "ibeacon": "Beacons", "pvvx": "ATC and PVVX firmware", "temperature": "Standard service data",
    ]

    /// The devices of the formats whose names do not contain the model.
    private static let devices = [
        "ab_temperature": "temperature beacon",
        "acconeer_distance": "XM126 with the distance application",
        "acconeer_presence": "XM122, XM126 with the presence application",
        "airmentor_2s": "2S: air",
        "airmentor_climate": "Pro 2: climate and TVOC",
        "airmentor_pro_2": "Pro 2: air",
        "almendo_blusensor": "bluSensor Mini",
        "altbeacon": "AltBeacon",
        "amphiro": "shower meters",
        "apple_airpods": "AirPods and Beats earphones",
        "apple_continuity": "devices with Continuity",
        "apple_nearby": "devices nearby: iPhone, iPad, Watch, Mac",
        "april_brother_n03": "N03",
        "atc1441": "ATC1441 firmware for Xiaomi thermometers",
        "atc1441_encrypted": "ATC1441 firmware, encrypted",
        "b_parasite": "b-parasite soil sensor",
        "battery": "Battery Level",
        "beewi_door": "Smart Door",
        "bluemaestro_maxi_pressure": "Tempo Disc, large: pressure",
        "bluemaestro_maxi_temperature": "Tempo Disc, large: temperature",
        "bluemaestro_maxi_temperature_humidity": "Tempo Disc, large: temperature and humidity",
        "bluemaestro_pressure": "Tempo Disc: pressure",
        "bluemaestro_temperature": "Tempo Disc: temperature",
        "bluemaestro_temperature_humidity": "Tempo Disc: temperature and humidity",
        "blustream": "TaylorSense, Humiditrak and other sensors in instrument cases",
        "bm2": "BM2 battery monitor",
        "bm6": "BM6 battery monitor",
        "br_tpms": "tire pressure sensors",
        "broodminder": "models 41, 42, 43, 47, 49, 56, 57 and 58: thermometers and scales of beehives",
        "bthome": "BTHome version 2, e.g. Shelly BLU",
        "bthome_1": "BTHome version 1",
        "bthome_1_encrypted": "BTHome version 1, encrypted",
        "chefiq_probe": "CQ50, CQ60",
        "chefiq_probe_status": "CQ50, CQ60: battery",
        "combustion_gauge": "Giant Grill Gauge", "combustion_node": "Display, Booster (repeat the probes)",
        "combustion_probe": "Predictive Thermometer",
        "enocean_ptm215b": "PTM 215B (switch without a battery)",
        "enocean_sensor":
            "STM 550B, EMSIB, EMDCB (sensors without a battery; acceleration and magnet contact are not read)",
        "safiery_star_tank": "Star-Tank",
        "atmotube_pro": "PRO",
        "ecoflow": "power stations",
        "eddystone_eid": "Eddystone EID",
        "eddystone_tlm": "Eddystone TLM",
        "eddystone_tlm_encrypted": "Eddystone TLM, encrypted",
        "eddystone_uid": "Eddystone UID",
        "eddystone_url": "Eddystone URL",
        "eufy_scale": "C1 (T9146), P1 (T9147)",
        "eufy_scale_p2": "P2 (T9148), P2 Pro (T9149)",
        "feasybeacon": "FeasyBeacon",
        "fjaraskupan_hood": "cooker hoods",
        "g_tag": "G-tag",
        "garnet_seelevel": "SeeLevel 709-BT, 709-BTP3",
        "garnet_soul": "SeeLevel 709-BTP7, Soul",
        "gobius_c": "Gobius C",
        "grundfos_mi401": "ALPHA Reader MI401",
        "holyiot": "beacons: battery",
        "hormann_supramatic": "Supramatic E4 BS",
        "humidity": "Humidity",
        "ibeacon": "iBeacon",
        "inkbird_18": "ITH-11-B, ITH-13-B, ITH-21-B, IBS-P02B",
        "inkbird_iam_t2": "IAM-T2",
        "inkbird_ibbq": "iBBQ and xBBQ thermometers",
        "inkbird_ibs_th": "IBS-TH, IBS-TH2, IBS-P01B",
        "inode_energy_meter": "Energy Meter",
        "itag": "iTAG",
        "jaalee": "JHT",
        "jinou_bec07": "BEC07-5",
        "kegtron": "keg monitors",
        "kkm": "K6P, K9",
        "laica_scale": "PS7011, PS7020 and other AAA002 scales: weight",
        "laica_scale_impedance": "PS7011, PS7020 and other AAA002 scales: impedance",
        "leaone_scale": "body scales of Leaone and Xiaogui",
        "mi_band": "Mi Band and Amazfit: heart rate",
        "mi_band_steps": "Mi Band and Amazfit: steps",
        "mibeacon": "products with MiBeacon: see the models below",
        "michelin_tms": "TMS",
        "microsoft_device": "Windows devices",
        "mikrotik_tag": "TG-BT5-IN, TG-BT5-OUT",
        "minew_acceleration": "beacons: acceleration",
        "minew_climate": "beacons: temperature and humidity",
        "minew_light": "beacons: illuminance",
        "minew_motion": "beacons: motion",
        "minew_temperature": "E9: temperature",
        "minew_vibration": "beacons: vibration",
        "minew_water": "beacons: water",
        "moat_s2": "S2",
        "mokobeacon": "MokoBeacon",
        "mokosmart": "BeaconX Pro: temperature and humidity",
        "mokosmart_motion": "BeaconX Pro: acceleration",
        "mopeka": "Pro Check, Pro Plus, Pro H2O, Pro-200 and others",
        "mopeka_standard_check": "Standard Check, Standard Check XL (propane)",
        "nodon_niu": "NIU",
        "nut": "Nut",
        "nutale": "Nutale",
        "okok_scale": "body scales, version 2.0",
        "oralb": "toothbrushes",
        "oralb_io": "toothbrushes of the iO series",
        "oras_faucet": "faucets",
        "otodata": "tank monitors",
        "otodata_identity": "tank monitors: identity",
        "polar": "heart rate belts",
        "pvvx": "PVVX firmware for Xiaomi thermometers",
        "pvvx_encrypted": "PVVX firmware, encrypted",
        "qingping": "sensors with broadcasts: CGG1, CGDK2, CGD1, CGPR1, CGH1, CGP1W and others",
        "rapt_pill": "Pill",
        "rdl52832": "RDL52832",
        "relsib_eclerk": "EClerk-Eco",
        "relsib_wt51": "WT51",
        "ruuvi_3": "RuuviTag, data format 3",
        "ruuvi_5": "RuuviTag, data format 5",
        "ruuvi_6": "Ruuvi Air, data format 6",
        "ruuvi_c5": "RuuviTag, data format C5",
        "ruuvi_c5_early": "RuuviTag, data format C5 with the number 5",
        "ruuvi_e1": "Ruuvi Air, data format E1",
        "schneider_odace": "Odace wireless switch",
        "sensorpush_ht_w": "HT.w",
        "sensorpush_htp": "HTP.xw",
        "sensorpush_tc_x": "TC.x",
        "senssun_scale": "IF_B7",
        "shelly": "devices of the second generation and later: identity",
        "skale": "Skale",
        "smartdry": "SmartDry",
        "switchbot_meter": "Meter, Meter Plus, Outdoor Meter",
        "tag_it": "Tag-It",
        "tandd_rtr505b": "RTR505B with a thermocouple",
        "tandd_tr4": "Ondotori TR41A to TR45",
        "teltonika_eye": "EYE Sensor, EYE Beacon",
        "temperature": "Temperature",
        "thermobeacon": "ThermoBeacon",
        "thermobeacon_extremes": "ThermoBeacon: extremes",
        "thermopro_tp35": "TP35 and TP39 series, TP59",
        "ticwatch": "TicWatch GTH",
        "tile": "Tile",
        "tilt": "Tilt, Tilt Pro",
        "tire_pressure": "tire pressure sensors with numbers 1 to 4",
        "unit_ut363bt": "UT363BT",
        "vchon_vch6003": "VCH6003",
    ]
}
