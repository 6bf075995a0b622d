import JSON

/// The state of an advertisement that the gateway sends: an element of `advertisers` in the payload of its topic `health`.
package struct AdvertiserStatus: Equatable, Sendable {
    package enum State: Equatable, Sendable {
        /// The adapter with this name sends the advertisement.
        case sending(adapter: String)
        /// Nothing is sent until a value arrives or an adapter is on.
        case waiting(reason: String)
        /// The values do not fit an advertisement, or bluetoothd refuses it.
        case failed(reason: String)

        fileprivate var name: String {
            switch self {
            case .sending: "sending"
            case .waiting: "waiting"
            case .failed: "failed"
            }
        }

        /// The reason why nothing is sent; nil: the advertisement is sent.
        fileprivate var reason: String? {
            switch self {
            case .sending: nil
            case .waiting(let reason), .failed(let reason): reason
            }
        }
    }

    /// The name in the section `advertisers`.
    package let name: String
    package let state: State

    package init(name: String, _ state: State) {
        self.name = name
        self.state = state
    }

    var json: JSON {
        var members: JSON.Object = ["name": .string(name), "state": .string(state.name)]
        if case .sending(let adapter) = state { members["adapter"] = .string(adapter) }
        members.add("reason", state.reason)
        return .object(members)
    }

    /// - Returns: nil if the value is not of this kind.
    init?(_ json: JSON) {
        guard let name = json["name"]?.string else { return nil }
        let reason = json["reason"]?.string ?? ""
        switch json["state"]?.string {
        case "sending":
            guard let adapter = json["adapter"]?.string else { return nil }
            self.init(name: name, .sending(adapter: adapter))
        case "waiting": self.init(name: name, .waiting(reason: reason))
        case "failed": self.init(name: name, .failed(reason: reason))
        default: return nil
        }
    }
}
