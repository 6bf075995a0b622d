import BenchmarkSupport
import Foundation

/// The figures for people, in 80 columns.
struct Table {
    let text: String

    init(_ figures: [Figure]) {
        let head = Self.line("figure", "bluefleet", "reference", "ratio", "to reach", "")
        text = ([head] + figures.map(Self.line)).joined(separator: "\n")
    }

    private static func line(_ figure: Figure) -> String {
        line(
            figure.unit.isEmpty ? figure.name : "\(figure.name), \(figure.unit)",
            number(figure.value(of: .bluefleet), figure.decimals),
            number(figure.value(of: .reference), figure.decimals), number(figure.ratio, 2), goal(figure),
            figure.isReached.map { $0 ? "ok" : "not" } ?? "")
    }

    private static func line(
        _ name: String, _ ours: String, _ theirs: String, _ ratio: String, _ goal: String, _ verdict: String
    ) -> String {
        let columns = [
            left(name, 40), right(ours, 9), right(theirs, 9), right(ratio, 6), right(goal, 8), " " + verdict,
        ]
        var line = columns.joined(separator: " ")
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

    private static func left(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    private static func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }

    /// The figures for machines.
    static func json(_ figures: [Figure]) throws -> String {
        let rows: [[String: Any]] = figures.map { figure in
            var row: [String: Any] = ["name": figure.name, "unit": figure.unit]
            row["bluefleet"] = figure.value(of: .bluefleet)
            row["reference"] = figure.value(of: .reference)
            row["ratio"] = figure.ratio
            row["reached"] = figure.isReached
            row["to_reach"] = goal(figure).isEmpty ? nil : goal(figure)
            return row
        }
        let options: JSONSerialization.WritingOptions = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try JSONSerialization.data(withJSONObject: rows, options: options), as: UTF8.self)
    }
}
