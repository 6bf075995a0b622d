extension Kind where Value: Equatable {
    /// Reads the address of a server, or a list of the addresses of the nodes of a cluster, each of them once.
    ///
    /// - Parameters:
    ///   - node: The value in the file.
    ///   - mistakes: Gets the mistakes.
    ///   - most: The maximum number of nodes.
    ///   - example: A valid address, for messages.
    ///   - text: Returns the text of an address, for messages.
    ///   - contradiction: Returns why an address does not fit the first one; nil: it fits.
    /// - Returns: The valid addresses; nil: there is none.
    func readNodes(
        _ node: YAMLNode, _ mistakes: Mistakes, most: Int, example: String, text: (Value) -> String,
        contradiction: (_ first: Value, _ other: Value) -> String? = { _, _ in nil }
    ) -> [Value]? {
        guard case .sequence(let items) = node.content else { return read(node, mistakes).map { [$0] } }
        guard items.count <= most else {
            mistakes.report("a cluster has at most \(most) nodes", at: items[most].position)
            return nil
        }
        var addresses: [Value] = []
        for item in items {
            guard let address = read(item, mistakes) else { continue }
            if addresses.contains(address) {
                mistakes.report("\(text(address)) is in the list twice: remove one", at: item.position)
            } else if let first = addresses.first, let reason = contradiction(first, address) {
                mistakes.report(reason, at: item.position)
            } else {
                addresses.append(address)
            }
        }
        if items.isEmpty {
            mistakes.report("the list is empty: name a node, e.g. [\(example)]", at: node.position)
        }
        return addresses.isEmpty ? nil : addresses
    }
}
