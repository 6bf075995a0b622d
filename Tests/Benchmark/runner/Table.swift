import BenchmarkSupport
import Foundation

/// The figures for people, in 80 columns.
struct Table {
    let text: String

    /// - Parameters:
    ///   - figures: The lines of the table.
    ///   - kinds: The measured bridges. With `.before`, the table has the ratio to it, and no goals.
    init(_ figures: [Figure], of kinds: [Subject.Kind]) {
        let lines: [String]
        if kinds.contains(.before) {
            let head = ["figure", "bluefleet", "before", "ratio", "reference", "ratio"]
            lines = ([head] + figures.map(Self.comparison)).map { Self.line($0, widths: [38, 9, 7, 6, 9, 6]) }
        } else {
            let head = ["figure", "bluefleet", "reference", "ratio", "to reach", ""]
            lines = ([head] + figures.map(Self.cells)).map { Self.line($0, widths: [40, 9, 9, 6, 8, 3]) }
        }
        text = lines.joined(separator: "\n")
    }

    private static func cells(_ figure: Figure) -> [String] {
        [
            title(figure), number(figure.value(of: .bluefleet), figure.decimals),
            number(figure.value(of: .reference), figure.decimals), number(figure.ratio(to: .reference), 2),
            goal(figure), figure.isReached.map { $0 ? "ok" : "not" } ?? "",
        ]
    }

    private static func comparison(_ figure: Figure) -> [String] {
        let others = [Subject.Kind.before, .reference].flatMap { kind in
            [number(figure.value(of: kind), figure.decimals), number(figure.ratio(to: kind), 2)]
        }
        return [title(figure), number(figure.value(of: .bluefleet), figure.decimals)] + others
    }

    private static func title(_ figure: Figure) -> String {
        figure.unit.isEmpty ? figure.name : "\(figure.name), \(figure.unit)"
    }

    /// Returns a line; the first column is aligned to the left, the others to the right.
    private static func line(_ cells: [String], widths: [Int]) -> String {
        var line = zip(cells, widths).enumerated().map { index, cell in
            let padding = String(repeating: " ", count: max(0, cell.1 - cell.0.count))
            return index == 0 ? cell.0 + padding : padding + cell.0
        }.joined(separator: " ")
        while line.last == " " { line.removeLast() }
        return line
    }

    private static func goal(_ figure: Figure) -> String {
        switch figure.goal {
        case .ratio(let limit): "≤ ×\(number(limit, 2))"
        case .ratioAtLeast(let limit): "≥ ×\(number(limit, 2))"
        case .value(let limit): "≤ \(number(limit, 0))"
        case .none: ""
        }
    }

    private static func number(_ number: Double?, _ decimals: Int) -> String {
        number.map { String(format: "%.\(decimals)f", $0) } ?? "–"
    }

    /// The figures for machines.
    static func json(_ figures: [Figure]) throws -> String {
        let rows: [[String: Any]] = figures.map { figure in
            var row: [String: Any] = ["name": figure.name, "unit": figure.unit]
            row["bluefleet"] = figure.value(of: .bluefleet)
            row["reference"] = figure.value(of: .reference)
            row["ratio"] = figure.ratio(to: .reference)
            row["before"] = figure.value(of: .before)
            row["ratio_to_before"] = figure.ratio(to: .before)
            row["reached"] = figure.isReached
            row["to_reach"] = goal(figure).isEmpty ? nil : goal(figure)
            return row
        }
        let options: JSONSerialization.WritingOptions = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try JSONSerialization.data(withJSONObject: rows, options: options), as: UTF8.self)
    }
}
