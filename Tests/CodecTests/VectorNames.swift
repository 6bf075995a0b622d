/// The names in the vectors of advertisements that differ from the names in the table.
enum VectorNames {
    /// The possible names in a reading; the first one that is present counts.
    static func names(for field: String) -> [String] {
        [field] + (others[field]?.split(separator: " ").map(String.init) ?? [])
    }

    /// The number of the vector's units in one unit of the table.
    static func factor(for field: String, in family: String) -> Double {
        let project = family.prefix { $0 != ":" }
        return factors[family + " " + field] ?? factors[project + " " + field] ?? 1
    }

    /// The pairs millivolt and volt, pascal and hectopascal, and mg and m/s² (tenths of it for Ruuvi's second format).
    private static let factors = [
        "eddystone battery_mv": 1000, "ruuvi pressure": 100, "ruuvitag-ble voltage": 1000,
        "ruuvitag-ble acceleration_x": 9.80665, "ruuvitag-ble acceleration_y": 9.80665,
        "ruuvitag-ble acceleration_z": 9.80665, "ruuvitag-ble acceleration_total": 9.80665,
        "theengs:RuuviTag_RAWv2 accx": 0.980665, "theengs:RuuviTag_RAWv2 accy": 0.980665,
        "theengs:RuuviTag_RAWv2 accz": 0.980665, "theengs:K9 accx": 1000, "theengs:K9 accy": 1000,
        "theengs:K9 accz": 1000, "theengs:KSensor accx": 1000, "theengs:KSensor accy": 1000,
        "theengs:KSensor accz": 1000,
    ]

    private static let others = [
        "cw": "color_temperature", "gravity": "specific_gravity", "serial": "serial_number",
        "temperature": "battery_temperature",
        "tempc": "temperature temperature_probe_1", "tempc2": "temperature_probe_2", "tempc4": "temperature_probe_4",
        "tempc2_dp": "dew_point", "hum": "humidity", "batt": "battery", "volt": "voltage battery_voltage",
        "pres": "pressure", "lux": "illuminance", "moi": "moisture", "packet": "packet_id", "co2": "carbon_dioxide",
        "weight": "mass", "pm2_5": "pm25", "voc": "voc_index", "nox": "nox_index", "luminosity": "illuminance",
        "toothbrush_state": "state", "time": "duration uptime", "isOn": "is_on", "inMotion": "in_motion",
        "lightLevel": "light_level", "deviceChain": "device_chain", "nightLight": "night_light",
        "isAqiValid": "is_aqi_valid", "filter element working time": "filter_element_working_time",
        "battery_mv": "voltage", "uptime_s": "uptime", "mac_low24": "mac_end", "radiation_rate_nSv_h": "radiation_rate",
        "radiation_total_nSv": "radiation_total", "radiation_duration_s": "radiation_duration", "radon_Bq_m3": "radon",
        "ago_s": "age", "interval_s": "interval", "tx": "tx_power", "txpower": "tx_power", "mov": "movement_counter",
        "seq": "sequence", "accx": "acceleration_x accelerometer_x", "accy": "acceleration_y accelerometer_y",
        "accz": "acceleration_z", "for": "formaldehyde", "lvl_cm": "tank_level water_level",
        "quality": "reading_quality_raw", "act_bpm": "heart_rate", "avg": "average", "lowbatt": "low_battery",
        "scopetested": "tested", "motion": "motion_detected in_motion", "in_ct": "in_count", "out_ct": "out_count",
        "push_ct": "button_count", "calibrated": "calibration", "moving": "in_motion", "rot": "rotation",
        "button1": "button_1", "button2": "button_2", "button3": "button_3", "button4": "button_4",
        "power": "power_on", "gas": "gas_detected", "moisture": "moisture_detected", "battery": "battery_low",
        "fer": "conductivity", "open": "window", "extprobe": "ext_probe",
    ]

    /// The names without a counterpart: product names and units, the same value in Fahrenheit or inches, encrypted
    /// bytes, and synonyms.
    static let ignored: Set = [
        "tempf", "tempf2", "tempf4", "tempf2_dp", "lvl_in", "temp", "avgu", "sumu", "mfid", "cipher",
        "ctr", "mic", "ctrl", "sync", "lightlevel", "sensingdistance",
        "night_latch", "switchMode",
    ]
}
