internal import Bluetooth
internal import Codec
internal import Configuration
internal import EventLoop

/// A reading, and when the gateway received it.
struct ReceivedReading {
    let reading: Reading
    let time: Timestamp

    /// What goes out (contract, part 5).
    func payload(_ style: Configuration.PublishRules.Payload) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(128)
        switch style {
        case .json: appendJSON(to: &text)
        case .value: appendValue(to: &text)
        }
        return text
    }

    private func appendJSON(to text: inout [UInt8]) {
        text.append(UInt8(ascii: "{"))
        switch reading {
        case .value: reading.forEachMember { append($0, $1, to: &text) }
        case .fields: for member in reading.payload.members { append(member.name, member.value, to: &text) }
        }
        text.append("\"time\":\"")
        time.append(to: &text)
        text.append("\"}")
    }

    private func append(_ name: String, _ value: Value, to text: inout [UInt8]) {
        guard name != "time" else { return }
        value.append(named: name, to: &text)
        text.append(UInt8(ascii: ","))
    }

    private func appendValue(to text: inout [UInt8]) {
        switch reading.value {
        case .string(let string), .named(let string, _): text += string.utf8
        case .bytes(let bytes): text += bytes.hexadecimal.utf8
        case let value: value.append(to: &text)
        }
    }

    /// What a response carries.
    var record: Record {
        var record = reading.payload
        record["time"] = .string(time.description)
        return record
    }
}
