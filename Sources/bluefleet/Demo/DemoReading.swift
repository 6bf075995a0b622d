import Bridge
import Codec
import EventLoop
import JSON

/// A reading that was received over MQTT.
struct DemoReading {
    /// One value of the reading.
    struct Quantity {
        /// The name of the field; nil for a reading with a single value.
        let field: String?
        /// The value as text, with its unit.
        let text: String
    }

    let source: ReadingSource
    /// The payload of the message.
    let payload: JSON
    let quantities: [Quantity]

    /// - Returns: Nil if the payload is not a reading.
    init?(from source: ReadingSource, payload: JSON) {
        guard case .record(var record)? = Value(payload), record["time"] != nil else { return nil }
        self.source = source
        self.payload = payload
        record["time"] = nil
        if let value = record["value"] {
            let unit: String? = if case .string(let unit)? = record["unit"] { unit } else { nil }
            quantities = [Quantity(field: nil, text: value.text(in: unit))]
        } else {
            quantities = record.map { member in
                Quantity(field: member.name, text: member.value.text(in: source.units[member.name]))
            }
        }
    }

    /// The time at which the gateway received the value.
    var time: String { payload["time"]?.string ?? "" }
}
