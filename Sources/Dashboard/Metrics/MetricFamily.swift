/// A family of metrics: all samples with the same name.
struct MetricFamily {
    enum Kind {
        case gauge, counter, info
    }

    /// The name without the suffix `_total` or `_info`, and without the unit.
    private let stem: String
    let kind: Kind
    /// The base unit, which ends the name; nil: none.
    let unit: String?
    let help: String

    init(_ kind: Kind, _ stem: String, unit: String? = nil, _ help: String) {
        self.stem = stem
        self.kind = kind
        self.unit = unit
        self.help = help
    }

    /// The name in OpenMetrics.
    var name: String { unit.map { "\(stem)_\($0)" } ?? stem }

    /// The name of the samples.
    var sampleName: String {
        switch kind {
        case .gauge: name
        case .counter: "\(name)_total"
        case .info: "\(name)_info"
        }
    }
}
