import Codec
import EventLoop
import JSON
import System

/// A value of a characteristic: the bytes and their reading.
struct ObservedValue {
    /// The name of the characteristic.
    let name: String
    let bytes: [UInt8]
    let reading: Reading
    let time: Timestamp
    /// The reason why the bytes do not fit the format; nil if they fit, or if the format is unknown.
    let decodingError: DecodingError?

    init(_ bytes: [UInt8], of accessed: AccessedCharacteristic, at time: Timestamp) {
        name = accessed.name
        self.bytes = bytes
        self.time = time
        do throws(DecodingError) {
            let reading = try accessed.format?.decode(bytes) ?? .value(.bytes(bytes), unit: nil)
            if let unit = accessed.unit, case .value(let value, _) = reading {
                self.reading = .value(value, unit: unit)
            } else {
                self.reading = reading
            }
            decodingError = nil
        } catch {
            reading = .value(.bytes(bytes), unit: nil)
            decodingError = error
        }
    }

    /// The value as text.
    var text: String {
        reading.text + (decodingError.map { "  (\($0))" } ?? "")
    }

    /// The value as JSON: the payload of the reading, with the characteristic and the bytes.
    var record: Record {
        var record = Record([("characteristic", .string(name))])
        for member in reading.payload { record[member.name] = member.value }
        if let decodingError { record["decode_failed"] = .string("\(decodingError)") }
        record["hex"] = .string(bytes.hexadecimal)
        record["time"] = .string(time.description)
        return record
    }
}

extension Record {
    /// The record in JSON.
    var description: String { Value.record(self).description }
}
