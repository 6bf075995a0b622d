import Contract

/// Which gateways could report to a decider what they remember.
///
/// A decider waits for the full reports of all gateways that run when its term begins. A gateway that was cut off then is
/// gone for the others until the decider confirms it.
struct WorldPresence {
    /// When each key was first followed: by its own gateway.
    private var terms: [FleetKey: (decider: Int, began: Double)] = [:]
    /// The last keys that the gateways have followed.
    private var keys: [FleetKey?]
    /// Since when two gateways can exchange messages; infinity: they cannot.
    private var joined: [[Double]]

    init(gateways: Int) {
        keys = Array(repeating: nil, count: gateways)
        joined = Array(repeating: Array(repeating: .infinity, count: gateways), count: gateways)
    }

    /// Notes that a gateway follows a key.
    mutating func follow(_ key: FleetKey, _ gateway: Int, at time: Double) {
        keys[gateway] = key
        if terms[key] == nil { terms[key] = (gateway, time) }
    }

    /// Notes which gateways can exchange messages now.
    mutating func look(at time: Double, isDisturbed: [Bool], areJoined: (Int, Int) -> Bool) {
        for one in joined.indices {
            for other in joined.indices {
                let isJoined = !isDisturbed[one] && !isDisturbed[other] && areJoined(one, other)
                joined[one][other] = isJoined ? min(joined[one][other], time) : .infinity
            }
        }
    }

    /// Whether two gateways follow the same key.
    func followSame(_ one: Int, _ other: Int) -> Bool { keys[one] == keys[other] }

    /// Whether a gateway could exchange messages with the decider of another one since its term began.
    func couldReport(_ gateway: Int, toDeciderOf other: Int) -> Bool {
        guard let term = keys[other].flatMap({ terms[$0] }) else { return false }
        return joined[gateway][term.decider] <= term.began
    }
}
