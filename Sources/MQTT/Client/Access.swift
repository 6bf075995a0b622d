/// An action that a broker's access rules may forbid.
package enum Access: Hashable, Sendable {
    case publish(Topic)
    case subscribe(TopicFilter)

    /// The topic or the filter.
    package var name: String {
        switch self {
        case .publish(let topic): topic.description
        case .subscribe(let filter): filter.description
        }
    }

    package var isSubscription: Bool {
        if case .subscribe = self { true } else { false }
    }
}
