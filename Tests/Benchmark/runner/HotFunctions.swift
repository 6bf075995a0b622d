import BenchmarkSupport

/// The functions of each notification, which the linker places next to each other (`config/hot-functions.txt`).
struct HotFunctions {
    /// The linker's names in byte order, which keeps the functions of a type together.
    let names: [String]

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
        // A function without a name has an address, which changes with each build. A recursive function has a second name
        // with an apostrophe.
        names = found.filter { !$0.hasPrefix("0x") && !$0.contains("'") }.sorted()
    }
}
