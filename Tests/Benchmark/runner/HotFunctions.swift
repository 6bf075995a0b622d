import BenchmarkSupport

/// The functions that run with each notification, for the linker to put side by side (`config/hot-functions.txt`).
struct HotFunctions {
    /// The linker's names, in the order of bytes, which keeps a type's functions together.
    let names: [String]

    init(of programs: Programs) throws {
        // Longer than the pause that is shipped, for callgrind makes all else slow.
        var gathering = Subject.Mode()
        gathering.pause = 50
        var descriptors = Subject.Mode()
        descriptors.usesDescriptors = true
        var found: Set<String> = []
        for (name, mode) in [("gathering", gathering), ("descriptors", descriptors)] {
            Progress.show("functions: \(name)")
            found.formUnion(try NotificationCost(of: .bluefleet, mode, programs: programs).functions)
        }
        // Without a name of its own a function is at an address, which is another one after each change. One that calls
        // itself has a second name, with an apostrophe.
        names = found.filter { !$0.hasPrefix("0x") && !$0.contains("'") }.sorted()
    }
}
