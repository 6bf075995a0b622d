extension YAMLNode {
    /// The key of an additional file whose values replace those of the files before it.
    static let overrideKey = "override"

    /// Joins several files: a file adds to the files before it, or with `override: true` replaces their values.
    ///
    /// - Throws: `YAMLError` for a file that is not a mapping, or with another value of `override`.
    init(joiningFiles files: [YAMLNode]) throws(YAMLError) {
        guard var joined = files.first else { preconditionFailure("there is no file") }
        for file in files.dropFirst() {
            if try file.overrides {
                joined = file.without(Self.overrideKey).overriding(joined, inherits: false)
            } else {
                joined = try YAMLNode(joining: [joined, file.without(Self.overrideKey)])
            }
        }
        self = try YAMLNode(joining: [joined])
    }

    private var overrides: Bool {
        get throws(YAMLError) {
            guard let node = self[Self.overrideKey], !node.isNull else { return false }
            switch node.content {
            case .scalar("true", isPlain: true): return true
            case .scalar("false", isPlain: true): return false
            default:
                throw YAMLError("override: expected true or false, found \(node.summary)", at: node.position)
            }
        }
    }

    private func without(_ key: String) -> YAMLNode {
        guard case .mapping(let entries) = content else { return self }
        return YAMLNode(content: .mapping(entries.filter { $0.key != key }), position: position)
    }
}
