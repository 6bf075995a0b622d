/// How the demo shows what comes over MQTT.
///
/// Both calls tell whether anybody still looks.
protocol ReadingDisplay {
    /// The demo is up: what a person can try from another terminal.
    mutating func begin(_ advice: [String]) -> Bool
    mutating func show(_ reading: DemoReading) -> Bool
    /// Time has passed, or the window has another size.
    mutating func refresh() -> Bool
    /// Gives back what it took.
    mutating func end()
}

extension ReadingDisplay {
    mutating func begin(_ advice: [String]) -> Bool {
        // Beside the results: whoever reads them from a pipe does not want to.
        for line in advice { StandardStream.error.print(line) }
        return true
    }

    mutating func refresh() -> Bool { true }
    mutating func end() {}
}
