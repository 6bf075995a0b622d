import Bluetooth
import Codec
import Testing

@Suite struct AdvertisementVectorTests {
    /// Vectors that only a decoder passes that has seen earlier packets, or that knows the model from elsewhere, and
    /// those that keep the last values after a packet without any.
    static let withoutContext: Set = [
        "adv-0465", "adv-0497", "adv-0849", "adv-0877", "adv-0881", "adv-0889", "adv-0894", "adv-0929", "adv-0930",
    ]

    /// What is not in the packet, and what this release does not read: names of products, limits of alarms that are not
    /// set, which 0 would not tell from 0 °C.
    static let absent: Set = [
        "model_name", "acceleration_total", "iaqs", "temp", "keg_type", "port_count", "battery_probe_1",
        "battery_probe_2", "low_battery", "soc_version", "mac", "device", "cipher", "ctr", "mic", "mfid", "tempf",
    ]

    /// What others call otherwise.
    static let names = [
        "tempc": "temperature", "hum": "humidity", "batt": "battery", "volt": "voltage", "pres": "pressure",
        "lux": "illuminance", "moi": "moisture", "packet": "packet_id", "co2": "carbon_dioxide",
        "weight": "mass", "pm2_5": "pm25", "voc": "voc_index", "nox": "nox_index", "luminosity": "illuminance",
        "toothbrush_state": "state", "time": "duration", "isOn": "on", "inMotion": "moving",
        "calibration": "calibrated",
        "lightLevel": "light_level", "deviceChain": "device_chain", "battery_mv": "voltage", "uptime_s": "uptime",
        "mac_low24": "mac_end", "radiation_rate_nSv_h": "radiation_rate", "radiation_total_nSv": "radiation_total",
        "radiation_duration_s": "radiation_duration", "radon_Bq_m3": "radon", "ago_s": "age", "interval_s": "interval",
        "tx": "tx_power", "mov": "movement_counter", "seq": "sequence", "accx": "acceleration_x",
        "accy": "acceleration_y", "accz": "acceleration_z", "for": "formaldehyde",
    ]

    static let families = [
        "aranet", "atc-ble", "bluemaestro-ble", "bthome-ble", "eddystone", "inkbird-ble", "oralb-ble", "qingping-ble",
        "ruuvi:3", "ruuvi:5", "ruuvi:6", "ruuvi:e1", "ruuvitag-ble", "sensirion-ble", "sensorpro-ble",
        "sensorpush-ble", "thermobeacon-ble", "victron:SolarCharger", "theengs:BPv1.0-1.2", "theengs:CGDN1",
        "theengs:CGG1_PVVX", "theengs:CGP1W", "theengs:F525/F51C", "theengs:H5072/75", "theengs:H5074",
        "theengs:H5100/01/02/04/05/74/77", "theengs:H5106", "theengs:HHCCJCY01HHCC", "theengs:JQJCY01YM",
        "theengs:K6P", "theengs:K9", "theengs:KSensor", "theengs:LYWSD03MMC/MJWSD05MMC_ATC",
        "theengs:LYWSD03MMC/MJWSD05MMC_PVVX", "theengs:LYWSDCGQ", "theengs:SBHT-003C", "theengs:SBMO-003Z",
        "theengs:SCD4X",
        "theengs:SE_TEMP", "theengs:SHT4X", "theengs:T201", "theengs:T301", "theengs:THX1/W230150X",
        "theengs:TP35X/393", "theengs:XMTZC01HM/XMTZC04HM", "theengs:XMTZC02HM/XMTZC05HM",
    ]

    /// The families above, and the vectors of others that show a kind of device of its own.
    static let vectors = AdvertisementVectors.all.vectors.filter { vector in
        (families.contains(vector.family) || singles.contains(vector.id)) && !withoutContext.contains(vector.id)
    }

    static let singles: Set = [
        "adv-0585", "adv-0588", "adv-0592", "adv-0594", "adv-0597", "adv-0602", "adv-0605", "adv-0610",
        "adv-0611", "adv-0618", "adv-0627", "adv-0631", "adv-0632", "adv-0633", "adv-0634", "adv-0639", "adv-0648",
        "adv-0668", "adv-0669", "adv-0749", "adv-0869", "adv-0872", "adv-0874", "adv-0876", "adv-0883", "adv-0909",
        "adv-0913", "adv-0918", "adv-0924", "adv-0927", "adv-0932", "adv-0935", "adv-0936", "adv-0937", "adv-0944",
        "adv-0949", "adv-0950", "adv-0952", "adv-0954", "adv-0955", "adv-0962", "adv-0964", "adv-0965", "adv-0970",
        "adv-0972", "adv-0975", "adv-0978", "adv-0979", "adv-0984", "adv-0985", "adv-0991", "adv-0996", "adv-1006",
        "adv-1007", "adv-1018", "adv-1019", "adv-1021", "adv-1026", "adv-1032", "adv-1034", "adv-1037", "adv-1038",
        "adv-1042", "adv-1044", "adv-1047", "adv-1053", "adv-1054", "adv-1059", "adv-1061", "adv-1065", "adv-1066",
        "adv-1067", "adv-1072", "adv-1075", "adv-1077", "adv-1078", "adv-1090", "adv-1098", "adv-1140",
    ]

    @Test(arguments: vectors)
    func `an advertisement has the expected values`(vector: AdvertisementVectors.Vector) throws {
        let expected = vector.expected
        let payload = vector.payload
        for (field, value) in expected.values.merging(expected.binary ?? [:], uniquingKeysWith: { first, _ in first }) {
            if Self.absent.contains(field) { continue }
            let name = Self.names[field] ?? field
            guard let found = payload[name] else {
                // What is not known to others need not be there.
                if case .null = value { continue }
                Issue.record("\(name) is missing in \(Value.record(payload))")
                continue
            }
            #expect(value.isClose(to: found), "\(name) is \(found)")
        }
        for (name, event) in expected.events ?? [:] {
            let found = payload[name]
            #expect(
                found.map { Vectors.Expected.text(event.type).isClose(to: $0) } ?? false, "\(name) is no \(event.type)")
        }
    }

    @Test func `there are vectors of most kinds`() {
        #expect(Self.vectors.count > 250)
    }

    @Test(arguments: AdvertisementVectors.all.vectors.filter { $0.decryptedPayload != nil })
    func `a Victron record has the expected values`(vector: AdvertisementVectors.Vector) throws {
        let names = [
            "BatterySense": "battery_monitor", "DcDcConverter": "dc_dc_converter", "LynxSmartBMS": "lynx_smart_bms",
            "MultiRS": "multi_rs",
        ]
        let family = String(vector.family.split(separator: ":")[1])
        let format = try #require(Advertisements.all.first { $0.name == "victron_\(names[family] ?? family)" })
        let payload = try #require([UInt8](hexadecimal: vector.decryptedPayload ?? ""))
        let reading = try format.format.decode([UInt8](repeating: 0, count: 8) + payload).payload
        for (name, value) in vector.expected.values where name != "model_name" {
            #expect(value.isClose(to: try #require(reading[name])), "\(name)")
        }
    }
}

extension AdvertisementVectors.Vector {
    /// What all parts of the advertisement say, the first of each name.
    fileprivate var payload: Record {
        var decoder = decoder
        var payload = Record()
        guard let advertisement, let readings = try? decoder.decode(advertisement) else { return payload }
        for member in readings.flatMap(\.reading.payload.members) where payload[member.name] == nil {
            payload[member.name] = member.value
        }
        return payload
    }
}

extension Vectors.Expected {
    /// Whether a value means the same: in a unit of another size, rounded, or with its name written otherwise.
    fileprivate func isClose(to value: Value) -> Bool {
        switch self {
        case .number(let expected):
            guard let number = value.decimal?.doubleValue else { return false }
            // Millivolts and volts, pascals and hectopascals, standard gravities and metres per second squared.
            return [1, 1000, 100, 9.80665].contains { factor in
                abs(number * factor - expected.doubleValue) <= max(0.051, abs(expected.doubleValue) * 0.003)
            }
        case .boolean(let expected): return value.decimal == (expected ? 1 : 0)
        case .text(let expected): return value.words == expected.words
        case .null: return value == .null
        case .list, .object: return true
        }
    }
}

extension Value {
    fileprivate var decimal: Decimal? {
        switch self {
        case .number(let number): number
        case .named(_, let number): Decimal(number)
        case .boolean(let isTrue): isTrue ? 1 : 0
        default: nil
        }
    }

    fileprivate var words: String {
        switch self {
        case .string(let text), .named(let text, _): text.words
        case .bytes(let bytes): bytes.hexadecimal
        default: description
        }
    }
}

extension String {
    /// Its letters and digits, in lower case.
    fileprivate var words: String {
        let letters = lowercased().filter { $0.isLetter || $0.isNumber }
        return letters.first == "v" && letters.dropFirst().allSatisfy(\.isNumber)
            ? String(letters.dropFirst()) : letters
    }
}
