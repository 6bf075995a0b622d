internal import JSON

/// A JSON object for each reading, a line each: its topic, and the message as it was.
struct JSONDisplay: ReadingDisplay {
    mutating func show(_ reading: DemoReading) -> Bool {
        let line: JSON = ["topic": .string(reading.source.topic), "payload": reading.payload]
        return StandardStream.output.print(line.description)
    }
}
