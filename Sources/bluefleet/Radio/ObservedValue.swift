internal import BlueZ
internal import Bluetooth
internal import Codec
internal import EventLoop

/// Bytes that a characteristic gave, and what they mean.
struct ObservedValue {
    let characteristic: BlueZ.Characteristic
    let bytes: [UInt8]
    let reading: Reading
    let time: Timestamp
    /// Why the bytes are shown as they are, though their layout is known.
    let misfit: DecodingError?

    init(_ bytes: [UInt8], of characteristic: BlueZ.Characteristic, _ format: Format?, at time: Timestamp) {
        self.characteristic = characteristic
        self.bytes = bytes
        self.time = time
        var misfit: DecodingError?
        do throws(DecodingError) {
            reading = try format?.decode(bytes) ?? .value(.bytes(bytes), unit: nil)
        } catch {
            misfit = error
            reading = .value(.bytes(bytes), unit: nil)
        }
        self.misfit = misfit
    }

    /// For people.
    var text: String {
        reading.text + (misfit.map { "  (\($0))" } ?? "")
    }

    /// For programs: a reading's payload, and where it comes from.
    var record: Record {
        var record = Record([("characteristic", .string(characteristic.name))])
        for member in reading.payload.members { record[member.name] = member.value }
        if let misfit { record["decode_failed"] = .string("\(misfit)") }
        record["hex"] = .string(bytes.hexadecimal)
        record["time"] = .string(time.description)
        return record
    }
}

extension Record {
    /// As JSON.
    var description: String { Value.record(self).description }
}
