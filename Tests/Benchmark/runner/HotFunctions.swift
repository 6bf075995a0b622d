import BenchmarkSupport

/// The functions that run for each notification.
struct HotFunctions {
    /// The linker's names.
    let names: Set<String>

    init(of programs: Programs) throws {
        // Longer than the default pause: callgrind is slow.
        var gathering = Subject.Mode()
        gathering.pause = 50
        var descriptors = Subject.Mode()
        descriptors.usesDescriptors = true
        var found: Set<String> = []
        for fields in Subject.Fields.allCases {
            for (name, var mode) in [("gathering", gathering), ("descriptors", descriptors)] {
                Progress.show("functions: \(name), \(fields.rawValue)")
                mode.fields = fields
                for cost in try NotificationCost.measure(.bluefleet, mode, programs: programs).values {
                    found.formUnion(cost.functions)
                }
            }
        }
        names = found.linkerNames
    }
}
