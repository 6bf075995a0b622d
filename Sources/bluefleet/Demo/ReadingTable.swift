import EventLoop
import System

/// The table of the latest readings.
struct ReadingTable {
    private struct Row {
        let reading: String
        var value: String
        var received: Instant
    }

    private struct Group {
        let source: ReadingSource
        var rows: [Row] = []
    }

    private static let titles = ["DEVICE", "READING", "VALUE", "AGE"]

    // The order is that of the configuration, then that of arrival, so that rows keep their positions.
    private var groups: [Group]
    // The initial widths fit the titles and all ages. Widths never decrease, so that columns keep their positions.
    private var widths = [6, 7, 5, 6]

    init(_ sources: [ReadingSource]) {
        groups = sources.map { Group(source: $0) }
    }

    mutating func update(with reading: DemoReading, at now: Instant) {
        let index = index(of: reading.source)
        let name = reading.source.name
        for quantity in reading.quantities {
            let label = quantity.field.map { $0 == name ? name : "\(name) \($0)" } ?? name
            let cells = [reading.source.device, label, quantity.text, ""]
            widths = zip(widths, cells).map { max($0, $1.columns) }
            if let row = groups[index].rows.firstIndex(where: { $0.reading == label }) {
                groups[index].rows[row].value = quantity.text
                groups[index].rows[row].received = now
            } else {
                groups[index].rows.append(Row(reading: label, value: quantity.text, received: now))
            }
        }
    }

    private mutating func index(of source: ReadingSource) -> Int {
        if let index = groups.firstIndex(where: { $0.source.topic == source.topic }) { return index }
        groups.append(Group(source: source))
        return groups.count - 1
    }

    /// Returns the lines of the table, titles first, limited to a number of columns and lines.
    func lines(columns: Int, rows limit: Int, at now: Instant) -> [String] {
        let cells = groups.flatMap { group in
            group.rows.map { row in
                [group.source.device, row.reading, row.value, (now - row.received).age]
            }
        }
        // In a narrow window, the column of values is cut.
        var widths = widths
        widths[2] = max(5, min(widths[2], columns - 6 - widths[0] - widths[1] - widths[3]))
        let lines = ([Self.titles] + cells).map { cells in
            zip(cells, widths).map { $0.cut(to: $1).padded(to: $1) }.joined(separator: "  ")
        }
        guard lines.count > limit, limit > 1 else { return lines }
        return lines.prefix(limit - 1) + ["… \(lines.count - limit + 1) more rows: enlarge the window"]
    }
}
