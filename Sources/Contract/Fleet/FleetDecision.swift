package import JSON

/// The payload of `PREFIX/bridge/GATEWAY/fleet/decision`: which reports the decider has received, and which gateway owns
/// which device.
package struct FleetDecision: Equatable, Sendable {
    /// The reports of a gateway that the decider has received.
    package struct Acknowledgement: Hashable, Sendable {
        /// The random name of the process.
        package let start: String
        /// The number of the last report.
        package let number: Int
        /// The number of the last full report that agrees with the table of the decider; nil: there is none.
        package let whole: Int?

        package init(start: String, number: Int, whole: Int?) {
            self.start = start
            self.number = number
            self.whole = whole
        }

        var json: JSON { [.string(start), .number(number), whole.map { .number($0) } ?? .null] }

        init?(_ json: JSON) {
            guard let array = json.array, array.count == 3, let start = array[0].fleetName,
                let number = array[1].fleetNumber, array[2].isNull || array[2].fleetNumber != nil
            else { return nil }
            self.init(start: start, number: number, whole: array[2].fleetNumber)
        }
    }

    /// The past of an assignment, for gateways that keep readings of the device from before it.
    package struct Past: Hashable, Sendable {
        /// The greatest earlier stamp under which a gateway may have published the device.
        package let after: FleetStamp
        /// The time since the assignment, in milliseconds.
        package let age: Int
        /// Whether the owner has not received the device since the assignment.
        package let isUnheard: Bool

        package init(after: FleetStamp, age: Int, isUnheard: Bool) {
            self.after = after
            self.age = age
            self.isUnheard = isUnheard
        }

        func add(to details: inout JSON.Object) {
            details["after"] = after.json
            details["age"] = .number(age)
            details.addFleet("unheard", isUnheard)
        }

        init?(_ details: JSON) {
            guard let after = details["after"].flatMap({ FleetStamp($0) }), let age = details["age"]?.fleetNumber,
                let isUnheard = JSON.fleetFlag(details["unheard"])
            else { return nil }
            self.init(after: after, age: age, isUnheard: isUnheard)
        }
    }

    /// A device and a gateway that owns it, or that must no longer own it.
    package struct Assignment: Hashable, Sendable {
        package let gateway: String
        package let stamp: FleetStamp
        /// Why the gateway owns the device, for people; nil: not known.
        package let why: String?
        /// The gateways that have a bond with the device.
        package let bonded: [String]
        /// The counters of the last encrypted advertisements that the former owner has accepted, by format.
        package let counters: [String: Int]
        /// Nil: the decider does not know the earlier assignments.
        package let past: Past?

        package init(
            gateway: String, stamp: FleetStamp, why: String? = nil, bonded: [String] = [],
            counters: [String: Int] = [:], past: Past? = nil
        ) {
            self.gateway = gateway
            self.stamp = stamp
            self.why = why
            self.bonded = bonded
            self.counters = counters
            self.past = past
        }

        var json: JSON {
            var details: JSON.Object = [:]
            details.add("why", why)
            details.addFleet("bonded", bonded)
            details.addFleet("counters", counters) { .number($0) }
            past?.add(to: &details)
            return .array([.string(gateway), stamp.json] + (details.isEmpty ? [] : [.object(details)]))
        }

        init?(_ json: JSON) {
            guard let array = json.array, 2...3 ~= array.count, let gateway = array[0].fleetName,
                let stamp = FleetStamp(array[1])
            else { return nil }
            guard array.count == 3 else {
                self.init(gateway: gateway, stamp: stamp)
                return
            }
            let details = array[2]
            guard details.object != nil, details["why"].map({ $0.fleetName != nil }) ?? true,
                let bonded = JSON.fleetNames(details["bonded"], limit: FleetLimits.gateways),
                let counters = JSON.fleetMap(details["counters"], limit: FleetLimits.formats, \.fleetNumber)
            else { return nil }
            let past = Past(details)
            guard past != nil || details["after"] == nil else { return nil }
            self.init(
                gateway: gateway, stamp: stamp, why: details["why"]?.fleetName, bonded: bonded, counters: counters,
                past: past)
        }
    }

    package var key: FleetKey
    /// The number of the decision; each epoch begins with 0.
    package var number: Int
    /// The reports of all gateways that run.
    package var acknowledgements: [String: Acknowledgement] = [:]
    /// The gateways that decide next, in this order.
    package var successors: [String] = []
    /// The owners of devices.
    package var owners: [String: Assignment] = [:]
    /// The owners that must drop a device, so that another one can own it.
    package var releases: [String: Assignment] = [:]
    /// The gateways that must send a full report.
    package var wanted: [String] = []
    /// Requests that the owner of the device must execute or answer.
    package var orders: [String: FleetOrder] = [:]
    /// Requests that a process is about to execute.
    package var begun: [String: FleetClaim] = [:]
    /// Requests with a response.
    package var done: [String] = []
    /// The changes of devices at run time that the decider has; nil: none.
    package var changes: FleetChanges.Summary?
    /// Whether the decider stops to decide.
    package var isResigning = false

    package init(key: FleetKey, number: Int) {
        self.key = key
        self.number = number
    }

    package var json: JSON {
        var members: JSON.Object = ["key": key.json, "m": .number(number)]
        members["acks"] = JSON.fleetObject(acknowledgements, \.json)
        members["next"] = .array(successors.map { .string($0) })
        members.addFleet("own", owners, \.json)
        members.addFleet("release", releases, \.json)
        members.addFleet("want", wanted)
        members.addFleet("todo", orders, \.json)
        members.addFleet("begun", begun, \.json)
        members.addFleet("done", done)
        members.add("changes", changes?.json)
        members.addFleet("resign", isResigning)
        return .object(members)
    }

    /// - Returns: nil if the payload is not of this kind, or exceeds `FleetLimits`.
    package init?(_ json: JSON) {
        guard let key = json["key"].flatMap({ FleetKey($0) }), let number = json["m"]?.fleetNumber,
            let acknowledgements = JSON.fleetMap(json["acks"], limit: FleetLimits.gateways, { Acknowledgement($0) }),
            let successors = JSON.fleetNames(json["next"], limit: FleetLimits.gateways),
            let owners = JSON.fleetMap(json["own"], { Assignment($0) }),
            let releases = JSON.fleetMap(json["release"], { Assignment($0) }),
            let wanted = JSON.fleetNames(json["want"], limit: FleetLimits.gateways),
            let orders = JSON.fleetMap(json["todo"], limit: FleetLimits.requests, { FleetOrder($0) }),
            let begun = JSON.fleetMap(json["begun"], limit: FleetLimits.requests, { FleetClaim($0) }),
            let done = JSON.fleetNames(json["done"], limit: FleetLimits.requests),
            let isResigning = JSON.fleetFlag(json["resign"])
        else { return nil }
        var changes: FleetChanges.Summary?
        if let summary = json["changes"] {
            changes = FleetChanges.Summary(summary)
            if changes == nil { return nil }
        }
        self.init(key: key, number: number)
        self.changes = changes
        self.acknowledgements = acknowledgements
        self.successors = successors
        self.owners = owners
        self.releases = releases
        self.wanted = wanted
        self.orders = orders
        self.begun = begun
        self.done = done
        self.isResigning = isResigning
    }
}
