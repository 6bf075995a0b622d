/// The single complete types of a D-Bus signature: `aya{sv}` consists of `ay` and `a{sv}`.
struct SignatureParts: Sequence, IteratorProtocol {
    private var rest: Substring

    init(_ signature: String) {
        rest = signature[...]
    }

    mutating func next() -> String? {
        var depth = 0
        for index in rest.indices {
            switch rest[index] {
            case "(", "{": depth += 1
            case ")", "}": depth -= 1
            case "a": continue
            default: break
            }
            if depth == 0 {
                let part = rest[...index]
                rest = rest[rest.index(after: index)...]
                return String(part)
            }
        }
        return nil
    }
}
