import JSON

/// Prints each reading as a JSON object on a line: its topic and its payload.
struct JSONDisplay: ReadingDisplay {
    mutating func show(_ reading: DemoReading) -> Bool {
        let line: JSON = ["topic": .string(reading.source.topic), "payload": reading.payload]
        return StandardStream.output.print(value: line.description)
    }
}
