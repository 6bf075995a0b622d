import Codec

/// Parses a YAML text to a tree of nodes.
///
/// The parser resolves aliases and merge keys (`<<`), and limits size and depth.
package struct YAMLParser: ~Copyable {
    /// The limits of a text.
    ///
    /// Each use of an alias adds the nodes of its value again.
    package enum Limit {
        package static let bytes = 4 << 20
        package static let nodes = 500_000
        package static let depth = 64
    }

    private struct Anchored {
        let node: YAMLNode
        let size: Int
    }

    private var events: YAMLEventReader
    private var anchors: [String: Anchored] = [:]
    private var nodes = 0
    private var depth = 0

    /// Returns the root of the document; several documents are joined.
    ///
    /// The root of an empty text is an empty scalar, for which ``YAMLNode/isNull`` is true.
    package static func parse(_ text: String) throws(YAMLError) -> YAMLNode {
        try parse(Array(text.utf8))
    }

    /// Returns the root of the document, as above; `file` is the number of the file in the positions.
    package static func parse(_ bytes: [UInt8], file: Int = 0) throws(YAMLError) -> YAMLNode {
        guard bytes.count <= Limit.bytes else {
            throw YAMLError(
                "the file is larger than \(Limit.bytes >> 20) MiB", at: Position(file: file, line: 1, column: 1))
        }
        // libyaml counts the byte order mark as a column: the first key would be indented more than the other keys.
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        var parser = YAMLParser(events: YAMLEventReader(SurrogatePairs.joined(in: text), file: file))
        return try YAMLNode(joining: parser.documents())
    }

    private init(events: consuming YAMLEventReader) {
        self.events = events
    }

    private mutating func documents() throws(YAMLError) -> [YAMLNode] {
        var roots: [YAMLNode] = []
        while true {
            switch try events.next().kind {
            case .documentStart:
                anchors = [:]
                roots.append(try node(events.next()))
            case .streamEnd: return roots
            default: continue
            }
        }
    }

    private mutating func node(_ event: YAMLEvent) throws(YAMLError) -> YAMLNode {
        let before = nodes
        try count(1, at: event.position)
        let content = try content(of: event)
        let node = YAMLNode(content: content, position: event.position)
        if let anchor = event.anchor {
            anchors[anchor] = Anchored(node: node, size: nodes - before)
        }
        return node
    }

    private mutating func content(of event: YAMLEvent) throws(YAMLError) -> YAMLNode.Content {
        let isText = try isText(event)
        switch event.kind {
        case .scalar(let text, let isPlain): return .scalar(text, isPlain: isPlain && !isText)
        case .alias(let name):
            guard let anchored = anchors[name] else {
                throw YAMLError(
                    "unknown alias '*\(name)': no value that ends before it is named &\(name); put a text that begins with * in quotes",
                    at: event.position)
            }
            try count(anchored.size, at: event.position)
            try checkDepth(depth + anchored.node.height, at: event.position)
            return anchored.node.content
        case .sequenceStart:
            return try nested(at: event.position) { parser throws(YAMLError) in
                .sequence(try parser.items())
            }
        case .mappingStart:
            return try nested(at: event.position) { parser throws(YAMLError) in
                .mapping(try parser.entries())
            }
        default: preconditionFailure("libyaml started a node with \(event.kind)")
        }
    }

    private mutating func items() throws(YAMLError) -> [YAMLNode] {
        var items: [YAMLNode] = []
        while true {
            let event = try events.next()
            if case .sequenceEnd = event.kind { return items }
            items.append(try node(event))
        }
    }

    private mutating func entries() throws(YAMLError) -> [YAMLNode.Entry] {
        var entries: [YAMLNode.Entry] = []
        var merged: [YAMLNode.Entry] = []
        while true {
            let event = try events.next()
            if case .mappingEnd = event.kind { break }
            let key = try node(event)
            guard case .scalar(let text, let isPlain) = key.content else {
                throw YAMLError(
                    "a key must be text, not \(key.summary): put a text that begins with a brace or a bracket in quotes",
                    at: key.position)
            }
            let value = try node(events.next())
            if isPlain && text == "<<" {
                merged += try mergedEntries(of: value)
            } else {
                entries.append(YAMLNode.Entry(key: text, keyPosition: key.position, value: value))
            }
        }
        // The mapping's own entries have priority over merged entries; of these, the first has priority.
        var names = Set(entries.map(\.key))
        return entries + merged.filter { names.insert($0.key).inserted }
    }

    private func mergedEntries(of node: YAMLNode) throws(YAMLError) -> [YAMLNode.Entry] {
        switch node.content {
        case .mapping(let entries): return entries
        case .sequence(let nodes):
            var merged: [YAMLNode.Entry] = []
            for node in nodes { merged += try mergedEntries(of: node) }
            return merged
        case .scalar:
            throw YAMLError("'<<' requires a mapping or a list of mappings, found \(node.summary)", at: node.position)
        }
    }

    private mutating func nested(
        at position: Position,
        _ body: (inout YAMLParser) throws(YAMLError) -> YAMLNode.Content
    ) throws(YAMLError) -> YAMLNode.Content {
        depth += 1
        defer { depth -= 1 }
        try checkDepth(depth, at: position)
        return try body(&self)
    }

    private func checkDepth(_ depth: Int, at position: Position) throws(YAMLError) {
        guard depth <= Limit.depth else {
            throw YAMLError("nested more than \(Limit.depth) levels deep", at: position)
        }
    }

    private mutating func count(_ size: Int, at position: Position) throws(YAMLError) {
        nodes += size
        guard nodes <= Limit.nodes else {
            throw YAMLError("more than \(Limit.nodes) values, aliases included", at: position)
        }
    }

    /// Returns whether the tag of a node specifies that a plain scalar is a text.
    ///
    /// - Throws: `YAMLError` for a tag that is unknown or does not fit the node.
    private func isText(_ event: YAMLEvent) throws(YAMLError) -> Bool {
        guard let tag = event.tag, tag != "!" else { return event.tag != nil }
        let standard = "tag:yaml.org,2002:"
        let name = tag.hasPrefix(standard) ? "!!" + tag.dropFirst(standard.count) : tag
        let known: Set =
            switch event.kind {
            case .sequenceStart: ["!!seq"]
            case .mappingStart: ["!!map"]
            default: ["!!str", "!!int", "!!float", "!!bool", "!!null", "!!merge"]
            }
        guard known.contains(name) else {
            throw YAMLError(
                "unsupported tag \(name.quotedForMessage): write the value itself; put secrets into files",
                at: event.position)
        }
        return name == "!!str"
    }
}

extension YAMLNode {
    /// The depth of nested lists and mappings.
    fileprivate var height: Int {
        switch content {
        case .scalar: 0
        case .sequence(let items): 1 + (items.map(\.height).max() ?? 0)
        case .mapping(let entries): 1 + (entries.map(\.value.height).max() ?? 0)
        }
    }
}
