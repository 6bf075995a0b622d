internal import Bridge
internal import Codec
internal import EventLoop
internal import JSON

/// A reading as it came over MQTT.
struct DemoReading {
    /// One value of it.
    struct Quantity {
        /// The field's name; nil for a reading that is one value.
        let field: String?
        /// For a person, with its unit.
        let text: String
    }

    let source: ReadingSource
    /// The message as it was.
    let payload: JSON
    let quantities: [Quantity]

    /// - Returns: nil for a payload that is no reading.
    init?(from source: ReadingSource, payload: JSON) {
        guard case .record(var record)? = Value(payload), record["time"] != nil else { return nil }
        self.source = source
        self.payload = payload
        record["time"] = nil
        if let value = record["value"] {
            let unit: String? = if case .string(let unit)? = record["unit"] { unit } else { nil }
            quantities = [Quantity(field: nil, text: value.text(in: unit))]
        } else {
            quantities = record.members.map { member in
                Quantity(field: member.name, text: member.value.text(in: source.units[member.name]))
            }
        }
    }

    /// When the gateway received it.
    var time: String { payload["time"]?.string ?? "" }
}
