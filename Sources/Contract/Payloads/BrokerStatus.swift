package import JSON
package import System

/// The limits and refusals of the broker: the member `broker` of the gateway's topic `health`.
package struct BrokerStatus: Equatable, Sendable {
    /// A topic or a filter that the broker does not accept.
    package struct Refusal: Equatable, Sendable {
        package enum Action: String, CaseIterable, Sendable {
            case publish, subscribe
        }

        package let action: Action
        /// The topic or the filter.
        package let topic: String
        package let reason: String
        /// Whether the broker rejects messages or subscriptions only for the moment: they are sent again.
        package let isTemporary: Bool

        package init(_ action: Action, _ topic: String, reason: String, isTemporary: Bool = false) {
            self.action = action
            self.topic = topic
            self.reason = reason
            self.isTemporary = isTemporary
        }

        var json: JSON {
            var members: JSON.Object = [
                "action": .string(action.rawValue), "topic": .string(topic), "reason": .string(reason),
            ]
            if isTemporary { members["temporary"] = true }
            return .object(members)
        }

        init?(_ json: JSON) {
            guard let action = json["action"]?.string.flatMap({ Action(rawValue: $0) }),
                let topic = json["topic"]?.string, let reason = json["reason"]?.string
            else { return nil }
            self.init(action, topic, reason: reason, isTemporary: json["temporary"]?.bool ?? false)
        }
    }

    /// The topics and filters that the broker does not accept; at most `mostRefusals`.
    package var refused: [Refusal] = []
    /// The number of messages that are held back because the broker closes the connection on their topic, or on others of
    /// its kind, or rejects their topic for the moment.
    package var held = 0
    /// The number of rejections for the moment since the start.
    package var rejected = 0
    /// The limits of the broker that change what clients receive.
    package var restrictions: [Restriction] = []
    /// When the connection to the broker began; nil: there is none, or an earlier version of the gateway.
    package var connectedSince: Timestamp?

    /// The maximum number of topics and filters in the list.
    package static let mostRefusals = 20

    package init() {}

    package var json: JSON {
        var members: JSON.Object = [
            "refused": .array(refused.prefix(Self.mostRefusals).map(\.json)), "held": .number(held),
            "rejected": .number(rejected), "restrictions": .array(restrictions.map(\.json)),
        ]
        members.add("connected_since", text: connectedSince)
        return .object(members)
    }

    /// - Returns: nil if the value is not of this kind.
    package init?(_ json: JSON) {
        guard let refused = json.list("refused", { Refusal($0) }), let held = json["held"]?.int else { return nil }
        self.refused = refused
        self.held = held
        // Earlier versions have no such members.
        rejected = json["rejected"]?.int ?? 0
        restrictions = json.list("restrictions", { Restriction($0) }) ?? []
        connectedSince = json.time("connected_since")
    }
}
