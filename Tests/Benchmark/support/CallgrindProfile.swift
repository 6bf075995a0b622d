/// A profile written by callgrind: instructions, and calls by function.
///
/// The format: https://valgrind.org/docs/manual/cl-format.html. A name is written once, with a
/// number in parentheses; later it is the number only.
package struct CallgrindProfile {
    /// The number of executed instructions.
    private(set) var instructions = 0
    /// The number of calls, by the linker's name of the function.
    private(set) var callsByFunction: [Substring: Int] = [:]
    /// The program or library of each function.
    private var objectsByFunction: [Substring: Substring] = [:]

    init(_ text: String) {
        var functions = Names()
        var objects = Names()
        var object: Substring = ""
        var called: Substring = ""
        for line in text.split(separator: "\n") {
            guard let sign = line.firstIndex(of: "=") ?? line.firstIndex(of: ":") else { continue }
            let (key, value) = (line[..<sign], line[sign...].dropFirst())
            switch key {
            case "ob": object = objects.name(value)
            case "cob": _ = objects.name(value)
            case "fn": objectsByFunction[functions.name(value)] = object
            case "cfn": called = functions.name(value)
            case "calls":
                callsByFunction[called, default: 0] += value.split(separator: " ").first.flatMap { Int($0) } ?? 0
            case "totals": instructions = Int(value.drop { $0 == " " }) ?? 0
            default: continue
            }
        }
    }

    /// Returns the number of calls of these functions.
    func calls(of functions: [String]) -> Int {
        functions.reduce(0) { $0 + callsByFunction[Substring($1), default: 0] }
    }

    /// Returns the functions of a program or library with at least `count` calls.
    package func functions(of object: String, calledAtLeast count: Int) -> [String] {
        callsByFunction.filter { $1 >= count && objectsByFunction[$0] == Substring(object) }.map { String($0.key) }
    }

    /// The names, by number.
    private struct Names {
        private var all: [Substring: Substring] = [:]

        /// Returns the name for `(number) name`, or for `(number)` after its first occurrence.
        mutating func name(_ value: Substring) -> Substring {
            guard let end = value.firstIndex(of: ")") else { return "" }
            let (number, name) = (value[..<end], value[end...].dropFirst(2))
            if !name.isEmpty { all[number] = name }
            return all[number] ?? ""
        }
    }
}
