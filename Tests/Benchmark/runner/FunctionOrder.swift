import BenchmarkSupport

/// The order in which the linker places functions (`config/hot-functions.txt`).
struct FunctionOrder {
    /// Comments, and one name of the linker per line.
    let text: String

    init(of programs: Programs) throws {
        let hot = try HotFunctions(of: programs).names
        let warm = try WarmFunctions(of: programs).names.filter { !hot.contains($0) }
        let lines = ["# each notification"] + hot.sorted() + ["# other work after the start"] + warm
        text = lines.joined(separator: "\n")
    }
}

extension Set<String> {
    /// The names that are the same in each build: functions without a name have an address, and the second name of a
    /// recursive function has an apostrophe.
    var linkerNames: Self { filter { !$0.hasPrefix("0x") && !$0.contains("'") } }
}
