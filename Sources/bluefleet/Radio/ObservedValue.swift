import BlueZ
import Bluetooth
import Codec
import EventLoop
import System

/// A value of a characteristic: the bytes and their reading.
struct ObservedValue {
    let characteristic: BlueZ.Characteristic
    let bytes: [UInt8]
    let reading: Reading
    let time: Timestamp
    /// The reason why the bytes do not fit the format; nil if they fit, or if the format is unknown.
    let decodingError: DecodingError?

    init(_ bytes: [UInt8], of characteristic: BlueZ.Characteristic, _ format: Format?, at time: Timestamp) {
        self.characteristic = characteristic
        self.bytes = bytes
        self.time = time
        var decodingError: DecodingError?
        do throws(DecodingError) {
            reading = try format?.decode(bytes) ?? .value(.bytes(bytes), unit: nil)
        } catch {
            decodingError = error
            reading = .value(.bytes(bytes), unit: nil)
        }
        self.decodingError = decodingError
    }

    /// The value as text.
    var text: String {
        reading.text + (decodingError.map { "  (\($0))" } ?? "")
    }

    /// The value as JSON: the payload of the reading, with the characteristic and the bytes.
    var record: Record {
        var record = Record([("characteristic", .string(characteristic.name))])
        for member in reading.payload.members { record[member.name] = member.value }
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
