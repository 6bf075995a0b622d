/// What callgrind has written down, as far as it is of use here.
///
/// The format: https://valgrind.org/docs/manual/cl-format.html. Names are written once, with a number in parentheses, and
/// are numbers from then on.
struct CallgrindProfile {
    /// How many instructions were executed.
    private(set) var instructions = 0
    private var callsByFunction: [Substring: Int] = [:]

    init(_ text: String) {
        var names: [Substring: Substring] = [:]
        var called: Substring = ""
        for line in text.split(separator: "\n") {
            guard let sign = line.firstIndex(of: "=") ?? line.firstIndex(of: ":") else { continue }
            let (key, value) = (line[..<sign], line[sign...].dropFirst())
            switch key {
            case "fn", "cfn":
                guard let end = value.firstIndex(of: ")") else { continue }
                let (number, name) = (value[..<end], value[end...].dropFirst(2))
                if !name.isEmpty { names[number] = name }
                if key == "cfn" { called = names[number] ?? "" }
            case "calls":
                callsByFunction[called, default: 0] += value.split(separator: " ").first.flatMap { Int($0) } ?? 0
            case "totals": instructions = Int(value.drop { $0 == " " }) ?? 0
            default: continue
            }
        }
    }

    /// How often these functions were called.
    func calls(of functions: [String]) -> Int {
        functions.reduce(0) { $0 + callsByFunction[Substring($1), default: 0] }
    }
}
