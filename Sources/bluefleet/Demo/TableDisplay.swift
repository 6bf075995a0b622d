import EventLoop
import System

/// A table on the terminal, which is updated in place.
struct TableDisplay: ReadingDisplay {
    private let loop: EventLoop
    private var terminal = Terminal()
    private var table: ReadingTable
    private var advice: [String] = []
    private var size = Terminal.size

    init(_ sources: [ReadingSource], on loop: EventLoop) {
        self.loop = loop
        table = ReadingTable(sources)
    }

    mutating func begin(_ advice: [String]) -> Bool {
        self.advice = advice
        terminal.open()
        return refresh()
    }

    mutating func show(_ reading: DemoReading) -> Bool {
        // Shown at the next refresh, because readings arrive in bursts.
        table.update(with: reading, at: loop.now)
        return true
    }

    mutating func refresh() -> Bool {
        let size = Terminal.size
        // The terminal moves its contents when its size changes.
        if size != self.size { terminal.invalidate() }
        self.size = size
        let rows = size.rows - advice.count - 1
        let lines = table.lines(columns: size.columns - 1, rows: rows, at: loop.now)
        return terminal.draw(advice + [""] + lines, size: size)
    }

    mutating func end() {
        terminal.close()
        // The alternate screen is gone: the last readings remain readable above the prompt of the shell.
        let lines = table.lines(columns: size.columns - 1, rows: .max, at: loop.now)
        if lines.count > 1 { StandardStream.output.print(lines.map(\.trimmingTrailingSpaces).joined(separator: "\n")) }
    }
}
