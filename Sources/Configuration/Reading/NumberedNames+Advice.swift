package import Bluetooth
import Codec

extension NumberedNames {
    /// Returns which name is meant, such as `did you mean 'battery_level'?` for `battery`; nil if no name resembles it.
    package func advice(for text: String) -> String? {
        let expected = Self.elsewhere[text.lowercased()].flatMap { self[$0] == nil ? nil : $0 }
        guard let name = expected ?? text.nearest(in: all) else { return longerNames(than: text) }
        return "did you mean \(name.quotedForMessage)?"
    }

    /// The SIG names of frequent characteristics and services, by the words that users expect.
    private static let elsewhere = [
        "battery": "battery_level", "batt": "battery_level", "bat": "battery_level", "temp": "temperature",
        "hr": "heart_rate_measurement", "heart": "heart_rate_measurement", "heartrate": "heart_rate_measurement",
        "pulse": "heart_rate_measurement", "weight": "weight_measurement", "name": "device_name",
        "model": "model_number_string", "serial": "serial_number_string", "firmware": "firmware_revision_string",
        "software": "software_revision_string", "hardware": "hardware_revision_string",
        "manufacturer": "manufacturer_name_string", "maker": "manufacturer_name_string", "time": "current_time",
        "date": "current_time", "tx_power": "tx_power_level", "txpower": "tx_power_level", "rh": "humidity",
        "blood_pressure": "blood_pressure_measurement", "glucose": "glucose_measurement", "light": "illuminance",
        "lux": "illuminance", "co2": "co2_concentration",
    ]

    /// Returns advice with up to five names that begin with the text; nil if there are none or the text is too short.
    private func longerNames(than text: String) -> String? {
        let longer = all.filter { $0.hasPrefix(text) }.sorted()
        guard text.count > 2, !longer.isEmpty else { return nil }
        let more = longer.count > 5 ? ", …" : ""
        return "did you mean one of \(longer.prefix(5).joined(separator: ", "))\(more)?"
    }
}
