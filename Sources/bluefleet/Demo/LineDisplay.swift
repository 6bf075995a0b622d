/// Prints each reading as a line: time, topic and value.
struct LineDisplay: ReadingDisplay {
    mutating func show(_ reading: DemoReading) -> Bool {
        let values = reading.quantities.map { quantity in
            quantity.field.map { "\($0) \(quantity.text)" } ?? quantity.text
        }
        return StandardStream.output.print(
            value: "\(reading.time) \(reading.source.topic) \(values.joined(separator: ", "))")
    }
}
