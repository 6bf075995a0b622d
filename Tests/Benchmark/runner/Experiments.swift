import BenchmarkSupport

/// The experiments of a complete run, in the order of the table.
enum Experiments {
    static var all: [any Experiment] {
        signals + asShipped + withPause + severalFields + otherModes + others
    }

    private static let rates = [100, 1000, 5000]

    /// Without a pause in both bridges.
    private static func mode(
        _ fields: Subject.Fields = .one, quality: Int = 1, usesDescriptors: Bool = false
    ) -> Subject.Mode {
        var mode = Subject.Mode()
        mode.fields = fields
        mode.qualityOfService = quality
        mode.usesDescriptors = usesDescriptors
        return mode
    }

    private static func shipped(_ fields: Subject.Fields = .one) -> Subject.Mode {
        var mode = mode(fields)
        mode.pause = nil
        return mode
    }

    private static var signals: [any Experiment] {
        [
            LoadExperiment("signals", mode(), rate: 100),
            LoadExperiment("signals", mode(), rate: 1000, goal: .ratio(atMost: 1.25), latency: .ratio(atMost: 1.5)),
            LoadExperiment("signals", mode(), rate: 5000),
            FloodExperiment("signals", mode()),
        ]
    }

    /// Bluefleet as shipped, the reference without a pause.
    private static var asShipped: [any Experiment] {
        [
            LoadExperiment("as shipped", shipped(), reference: mode(), rate: 100),
            LoadExperiment(
                "as shipped", shipped(), reference: mode(), rate: 1000, goal: .ratio(atMost: 0.5),
                latency: .value(atMost: 10)),
            LoadExperiment("as shipped", shipped(), reference: mode(), rate: 5000),
            FloodExperiment("as shipped", shipped(), reference: mode()),
        ]
    }

    /// Bluefleet as shipped, the reference with the same pause.
    private static var withPause: [any Experiment] {
        Subject.Fields.allCases.flatMap { fields in
            rates.map { rate in
                LoadExperiment("\(fields.rawValue), pause", shipped(fields), rate: rate, goal: .ratio(atMost: 1.25))
            }
        }
    }

    /// Bluefleet as shipped, the reference without a pause.
    private static var severalFields: [any Experiment] {
        rates.map { LoadExperiment("several fields", shipped(.several), reference: mode(.several), rate: $0) }
    }

    private static var otherModes: [any Experiment] {
        let unacknowledged = mode(quality: 0)
        let descriptors = mode(usesDescriptors: true)
        let unacknowledgedDescriptors = mode(quality: 0, usesDescriptors: true)
        return [
            LoadExperiment("signals, QoS 0", unacknowledged, rate: 1000),
            FloodExperiment("signals, QoS 0", unacknowledged),
            LoadExperiment("descriptors", descriptors, rate: 100),
            LoadExperiment("descriptors", descriptors, rate: 1000),
            LoadExperiment("descriptors", descriptors, rate: 5000),
            FloodExperiment("descriptors", descriptors),
            LoadExperiment("descriptors, QoS 0", unacknowledgedDescriptors, rate: 1000),
            FloodExperiment("descriptors, QoS 0", unacknowledgedDescriptors),
        ]
    }

    private static var others: [any Experiment] {
        [
            BurstExperiment(),
            CapacityExperiment("signals", mode(), .ratioAtLeast(0.8)),
            CapacityExperiment("as shipped", shipped(), .ratioAtLeast(0.8)),
            AdvertisementExperiment(),
            StartExperiment(),
            MemoryExperiment([
                (1, .none), (10, .value(atMost: 12)), (50, .none), (200, .value(atMost: 15)),
                (1000, .value(atMost: 30)),
            ]),
            InstructionExperiment(.one),
            InstructionExperiment(.several),
            SizeExperiment(),
        ]
    }
}
