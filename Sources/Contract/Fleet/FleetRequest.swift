package import JSON

/// A request of a client that all gateways know, so that it is answered although gateways fail.
package struct FleetRequest: Hashable, Sendable {
    package let device: String
    /// The time until the request expires, in milliseconds; negative if it has expired.
    package let remaining: Int
    /// The content, which only the gateway that executes the request needs.
    package let content: JSON

    package init(device: String, remaining: Int, content: JSON) {
        self.device = device
        self.remaining = remaining
        self.content = content
    }

    /// The size of the request in a payload, in bytes, without its name.
    package var size: Int { JSON.object(members).description.utf8.count }

    var members: JSON.Object { ["device": .string(device), "remaining": .number(remaining), "content": content] }

    init?(_ json: JSON) {
        guard let device = json["device"]?.fleetName, let remaining = json["remaining"]?.int,
            Self.range ~= remaining, let content = json["content"]
        else { return nil }
        self.init(device: device, remaining: remaining, content: content)
    }

    /// The valid times until a request expires, in milliseconds: a day after their end at most, and an hour before it.
    private static let range = -86_400_000...3_600_000
}

/// One process of a gateway; each start has another name.
///
/// In JSON: `["cellar","77b0"]`.
package struct FleetProcess: Hashable, Sendable {
    package let gateway: String
    package let start: String

    package init(gateway: String, start: String) {
        self.gateway = gateway
        self.start = start
    }

    var json: JSON { [.string(gateway), .string(start)] }

    init?(_ json: JSON) {
        guard let array = json.array, array.count == 2, let gateway = array[0].fleetName, let start = array[1].fleetName
        else { return nil }
        self.init(gateway: gateway, start: start)
    }
}

/// A request and the process that executes it.
package struct FleetClaim: Hashable, Sendable {
    package let request: FleetRequest
    /// The process that executes the request; nil: none has begun.
    package let process: FleetProcess?

    package init(request: FleetRequest, process: FleetProcess?) {
        self.request = request
        self.process = process
    }

    package var json: JSON {
        var members = request.members
        members.add("by", process?.json)
        return .object(members)
    }

    /// - Returns: nil if the value is not of this kind.
    package init?(_ json: JSON) {
        guard let request = FleetRequest(json) else { return nil }
        var process: FleetProcess?
        if let by = json["by"] {
            process = FleetProcess(by)
            if process == nil { return nil }
        }
        self.init(request: request, process: process)
    }
}

/// The requests that a gateway received before it missed messages of the fleet.
///
/// In JSON: `{"requests":["9f3c"],"processes":[["cellar","77b0"]]}`.
package struct FleetDoubt: Hashable, Sendable {
    package let requests: [String]
    /// The processes that may have executed these requests since; if all of them report, they have not.
    package let processes: Set<FleetProcess>

    package init(requests: [String], processes: Set<FleetProcess>) {
        self.requests = requests
        self.processes = processes
    }

    var json: JSON {
        let sorted = processes.sorted { ($0.gateway, $0.start) < ($1.gateway, $1.start) }
        return ["requests": .array(requests.map { .string($0) }), "processes": .array(sorted.map(\.json))]
    }

    /// - Returns: nil if the value is not of this kind.
    init?(_ json: JSON) {
        guard let requests = JSON.fleetNames(json["requests"], limit: FleetLimits.requests),
            let array = json["processes"]?.array, array.count <= FleetLimits.doubtedProcesses
        else { return nil }
        let processes = array.compactMap { FleetProcess($0) }
        guard processes.count == array.count else { return nil }
        self.init(requests: requests, processes: Set(processes))
    }
}

/// A request that the decider passes to the owner of its device.
package struct FleetOrder: Hashable, Sendable {
    package let request: FleetRequest
    /// The name of the gateway.
    package let gateway: String
    /// Whether a process had begun the request and has ended: the request may have been executed.
    package let isInterrupted: Bool

    package init(request: FleetRequest, gateway: String, isInterrupted: Bool) {
        self.request = request
        self.gateway = gateway
        self.isInterrupted = isInterrupted
    }

    var json: JSON {
        var members = request.members
        members["to"] = .string(gateway)
        members["interrupted"] = .bool(isInterrupted)
        return .object(members)
    }

    init?(_ json: JSON) {
        guard let request = FleetRequest(json), let gateway = json["to"]?.fleetName,
            let isInterrupted = json["interrupted"]?.bool
        else { return nil }
        self.init(request: request, gateway: gateway, isInterrupted: isInterrupted)
    }
}
