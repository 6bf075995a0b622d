/// The display of the readings in the demo.
///
/// Its functions return false when the terminal or pipe has been closed.
protocol ReadingDisplay {
    /// Starts the display with advice for the user.
    mutating func begin(_ advice: [String]) -> Bool
    mutating func show(_ reading: DemoReading) -> Bool
    /// Updates the ages and adapts to the size of the window.
    mutating func refresh() -> Bool
    /// Restores the terminal.
    mutating func end()
}

extension ReadingDisplay {
    mutating func begin(_ advice: [String]) -> Bool {
        // On standard error, so that a pipe receives only readings.
        for line in advice { StandardStream.error.print(line) }
        return true
    }

    mutating func refresh() -> Bool { true }
    mutating func end() {}
}
