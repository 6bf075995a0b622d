/// A line for each reading: its time, its topic, its value.
struct LineDisplay: ReadingDisplay {
    mutating func show(_ reading: DemoReading) -> Bool {
        let values = reading.quantities.map { quantity in
            quantity.field.map { "\($0) \(quantity.text)" } ?? quantity.text
        }
        return StandardStream.output.print(
            "\(reading.time) \(reading.source.topic) \(values.joined(separator: ", "))")
    }
}
