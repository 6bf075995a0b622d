/// The addresses of a broker: one, or those of the nodes of a cluster, which are tried in turn.
package struct BrokerNodes: Sendable, Equatable {
    /// The maximum number of nodes.
    static let most = 16

    /// The addresses in the order of the configuration; at least one.
    package let endpoints: [BrokerEndpoint]

    /// - Parameters:
    ///   - first: The address of the broker, or of the first node.
    ///   - others: The addresses of the other nodes.
    package init(_ first: BrokerEndpoint, _ others: [BrokerEndpoint] = []) {
        endpoints = [first] + others
    }

    /// The address that is tried first.
    package var first: BrokerEndpoint { endpoints[0] }

    /// The URLs with commas: `mqtt://a:1883, mqtt://b:1883`.
    package var url: String { endpoints.map(\.url).joined(separator: ", ") }

    /// The name of the broker in stored messages: the URL of the first node, so that further nodes can be added.
    package var name: String { first.url }

    /// Whether the connections use TLS: those to all nodes, or none.
    var isEncrypted: Bool { first.isEncrypted }

    /// Returns whether two lists name the same broker: they have a node in common.
    package func nameSameBroker(as other: BrokerNodes) -> Bool {
        endpoints.contains { other.endpoints.contains($0) }
    }
}
