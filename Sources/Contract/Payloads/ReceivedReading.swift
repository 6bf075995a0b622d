import Bluetooth
package import Codec
package import Configuration
import JSON
package import System

/// A reading, and the time when the gateway received it.
package struct ReceivedReading {
    package let reading: Reading
    package let time: Timestamp
    /// The changes of the reading after it was decoded; nil: none.
    package let marks: ReadingMarks?

    package init(reading: Reading, time: Timestamp, _ marks: ReadingMarks? = nil) {
        self.reading = reading
        self.time = time
        self.marks = marks
    }

    /// Returns the reading with the time that the clock would have shown if it had been right.
    package func corrected(_ step: ClockStep) -> ReceivedReading {
        ReceivedReading(reading: reading, time: step.corrected(time), marks)
    }

    /// Returns the payload of the message.
    package func payload(_ style: Configuration.PublishRules.Payload) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(128)
        switch style {
        case .json: appendJSON(to: &text)
        case .value: appendValue(to: &text)
        }
        return text
    }

    private func appendJSON(to text: inout [UInt8]) {
        switch reading {
        case .value(let value, let unit):
            // Most readings are of this kind. For speed, each constant part of the text is appended in one call.
            text.append("{\"value\":")
            value.append(to: &text)
            if case .named(_, let number) = value {
                text.append(",\"number\":")
                Value.number(Decimal(number)).append(to: &text)
            }
            if let unit {
                text.append(",\"unit\":")
                Value.string(unit).append(to: &text)
            }
            text.append(",")
        case .fields:
            text.append("{")
            reading.appendMembers(to: &text, without: "time")
        }
        if let marks { appendMembers(marks, to: &text) }
        text.append("\"time\":\"")
        time.append(to: &text)
        text.append("\"}")
    }

    private func appendMembers(_ marks: ReadingMarks, to text: inout [UInt8]) {
        for member in marks.members {
            member.value.append(named: member.name, to: &text)
            text.append(",")
        }
    }

    private func appendValue(to text: inout [UInt8]) {
        switch reading.value {
        case .string(let string), .named(let string, _): text += string.utf8
        case .bytes(let bytes): text += bytes.hexadecimal.utf8
        case let value: value.append(to: &text)
        }
    }

    /// The reading and its time as members of a response.
    package var record: Record {
        var record = reading.payload
        for member in marks?.members ?? [] { record[member.name] = member.value }
        record["time"] = .string(time.description)
        return record
    }
}
