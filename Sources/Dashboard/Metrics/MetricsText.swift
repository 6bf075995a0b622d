/// Metrics as a text for Prometheus.
///
/// Sources: the text format 0.0.4 of Prometheus, and OpenMetrics 1.0.0.
struct MetricsText {
    private struct Group {
        let family: MetricFamily
        var lines: [UInt8] = []
    }

    private let isOpenMetrics: Bool
    /// The families in the order of their first samples.
    private var groups: [Group] = []
    private var indices: [String: Int] = [:]

    init(isOpenMetrics: Bool) {
        self.isOpenMetrics = isOpenMetrics
    }

    mutating func add(_ family: MetricFamily, _ labels: [(String, String)], _ value: String) {
        let name = family.sampleName
        let index = indices[name] ?? groups.count
        if index == groups.count {
            groups.append(Group(family: family))
            indices[name] = index
        }
        groups[index].lines += name.utf8
        if !labels.isEmpty {
            groups[index].lines.append(UInt8(ascii: "{"))
            for (number, label) in labels.enumerated() {
                groups[index].lines += "\(number == 0 ? "" : ",")\(label.0)=\"".utf8
                Self.append(escaped: label.1, to: &groups[index].lines)
                groups[index].lines.append(UInt8(ascii: "\""))
            }
            groups[index].lines.append(UInt8(ascii: "}"))
        }
        groups[index].lines += " \(value)\n".utf8
    }

    mutating func add(_ family: MetricFamily, _ labels: [(String, String)], _ value: Int?) {
        if let value { add(family, labels, "\(value)") }
    }

    mutating func add(_ family: MetricFamily, _ labels: [(String, String)], number value: Double?) {
        if let value, value.isFinite { add(family, labels, "\(value)") }
    }

    private static func append(escaped text: String, to lines: inout [UInt8]) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\\"): lines += "\\\\".utf8
            case UInt8(ascii: "\""): lines += "\\\"".utf8
            case UInt8(ascii: "\n"): lines += "\\n".utf8
            default: lines.append(byte)
            }
        }
    }

    /// The complete text.
    var bytes: [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(groups.reduce(64) { $0 + $1.lines.count + 256 })
        for group in groups {
            let name = isOpenMetrics ? group.family.name : group.family.sampleName
            text += "# TYPE \(name) \(type(of: group.family))\n".utf8
            if isOpenMetrics, let unit = group.family.unit { text += "# UNIT \(name) \(unit)\n".utf8 }
            text += "# HELP \(name) \(group.family.help)\n".utf8
            text += group.lines
        }
        return isOpenMetrics ? text + Array("# EOF\n".utf8) : text
    }

    private func type(of family: MetricFamily) -> String {
        switch family.kind {
        case .gauge: "gauge"
        case .counter: "counter"
        case .info: isOpenMetrics ? "info" : "gauge"
        }
    }
}
