import Codec

/// The defaults of a device or profile for the questions and answers of its entries, as nodes of the file.
struct ExchangeDefaults: Sendable {
    private let ask: YAMLNode?
    private let answer: YAMLNode?
    private let endian: YAMLNode?

    /// - Parameters:
    ///   - ask: The key `ask` of the device; nil: none.
    ///   - answer: The key `answer` of the device; nil: none.
    ///   - endian: The key `endian` of the device; nil: none.
    init(ask: YAMLNode?, answer: YAMLNode?, endian: YAMLNode?) {
        self.ask = ask.flatMap { $0.isNull ? nil : $0 }
        self.answer = answer.flatMap { $0.isNull ? nil : $0 }
        self.endian = endian.flatMap { $0.isNull ? nil : $0 }
    }

    /// The keys that give the bytes of a question: one of them replaces an inherited one.
    private static let contents = ["hex", "text", "format"]
    /// The keys that the items of `first` inherit.
    private static let addresses = ["service", "to", "from", "response", "by"]

    /// Returns the characteristics, with the defaults merged into their questions and answers, key by key.
    func applied(toCharacteristics node: YAMLNode) -> YAMLNode {
        node.mappingEntries { characteristic in
            var merged = exchange(of: characteristic, ask: ask, answer: answer)
            if let endian, merged["ask"] != nil || merged["answer"] != nil || merged["format"] != nil,
                merged["endian"] == nil
            {
                merged = merged.adding("endian", endian)
            }
            return merged
        }
    }

    /// Returns the items of `first`, with the addresses of the defaults merged into them.
    func applied(toFirst node: YAMLNode) -> YAMLNode {
        guard case .sequence(let items) = node.content else { return node }
        let (ask, answer) = (ask?.only(Self.addresses), answer?.only(Self.addresses))
        let merged = items.map { exchange(of: $0, ask: ask, answer: $0["answer"] == nil ? nil : answer) }
        return YAMLNode(content: .sequence(merged), position: node.position)
    }

    private func exchange(of node: YAMLNode, ask: YAMLNode?, answer: YAMLNode?) -> YAMLNode {
        let (ownAsk, ownAnswer) = (node["ask"], node["answer"])
        guard ownAsk != nil || ownAnswer != nil else { return node }
        var result = node
        if let ownAsk {
            result = result.replacing("ask", by: Self.merge(Self.question(ownAsk), ask))
        }
        if case .scalar? = ownAnswer?.content, ownAnswer?.isNull == false {
            return ownAnswer?.isNone == true ? result.removing("answer") : result
        }
        if let own = ownAnswer ?? answer.map({ YAMLNode(content: .mapping([]), position: $0.position) }) {
            result = result.replacing("answer", by: Self.merge(own, answer))
        }
        return result
    }

    /// Returns `{hex: HEX}` for a question that is only the bytes.
    private static func question(_ node: YAMLNode) -> YAMLNode {
        guard case .scalar = node.content, !node.isNull else { return node }
        let entry = YAMLNode.Entry(key: "hex", keyPosition: node.position, value: node)
        return YAMLNode(content: .mapping([entry]), position: node.position)
    }

    /// Returns the keys of a mapping over those of the defaults, without the keys whose value is `none`.
    private static func merge(_ own: YAMLNode, _ defaults: YAMLNode?) -> YAMLNode {
        guard case .mapping(let ownEntries) = own.content else { return own }
        var inherited: [YAMLNode.Entry] = []
        if case .mapping(let entries)? = defaults?.content { inherited = entries }
        if ownEntries.contains(where: { contents.contains($0.key) }) {
            inherited.removeAll { contents.contains($0.key) }
        }
        let kept = inherited.filter { entry in
            // `value` gives members of `format`: both are merged name by name.
            entry.key == "value" || !ownEntries.contains { $0.key == entry.key }
        }
        let merged = ownEntries.map { entry -> YAMLNode.Entry in
            guard entry.key == "value", let base = kept.first(where: { $0.key == "value" }) else { return entry }
            return YAMLNode.Entry(
                key: entry.key, keyPosition: entry.keyPosition,
                value: entry.value.overriding(base.value, inherits: false))
        }
        let others = kept.filter { entry in !ownEntries.contains { $0.key == entry.key } }
        return YAMLNode(
            content: .mapping((merged + others).filter { $0.key == "text" || !$0.value.isNone }),
            position: own.position)
    }
}

extension YAMLNode {
    /// Whether the value is the word that removes an inherited key.
    fileprivate var isNone: Bool { content == .scalar("none", isPlain: true) }

    /// Returns a mapping with transformed values; any other node is returned unchanged.
    fileprivate func mappingEntries(_ transform: (YAMLNode) -> YAMLNode) -> YAMLNode {
        guard case .mapping(let entries) = content else { return self }
        let transformed = entries.map { entry in
            Entry(
                key: entry.key, keyPosition: entry.keyPosition, value: transform(entry.value),
                isInherited: entry.isInherited)
        }
        return YAMLNode(content: .mapping(transformed), position: position)
    }

    /// Returns the mapping with another value of a key.
    fileprivate func replacing(_ key: String, by value: YAMLNode) -> YAMLNode {
        self[key] == nil ? adding(key, value) : removing(key).adding(key, value)
    }

    fileprivate func removing(_ key: String) -> YAMLNode {
        guard case .mapping(let entries) = content else { return self }
        return YAMLNode(content: .mapping(entries.filter { $0.key != key }), position: position)
    }

    fileprivate func adding(_ key: String, _ value: YAMLNode) -> YAMLNode {
        guard case .mapping(let entries) = content else { return self }
        let entry = Entry(key: key, keyPosition: value.position, value: value)
        return YAMLNode(content: .mapping(entries + [entry]), position: position)
    }
}
