package import JSON

/// The payload of `PREFIX/bridge/GATEWAY/fleet/report`: what a gateway receives, owns and does.
///
/// A full report has all members; other reports have only the changes since the report before. The report counts for the
/// gateway of its topic.
package struct FleetReport: Equatable, Sendable {
    /// The members that only a full report has.
    package struct Whole: Equatable, Sendable {
        /// The greatest version of these payloads that the gateway supports.
        package var version: Int
        /// The value of `share.rank`.
        package var rank: Int
        /// The fingerprint of the configuration of the shared devices.
        package var roster: String
        /// The devices that the gateway owns, with their stamps.
        package var owned: [String: FleetStamp]
        /// The stamps of other devices, for a decider that has not received them.
        package var remembered: [String: FleetStamp]
        /// The devices with a bond on this gateway; nil: not known yet.
        package var bonded: [String]?
        /// The requests whose responses the gateway has not published yet.
        package var held: [String]

        package init(
            version: Int = 1, rank: Int, roster: String, owned: [String: FleetStamp],
            remembered: [String: FleetStamp] = [:], bonded: [String]? = nil, held: [String] = []
        ) {
            self.version = version
            self.rank = rank
            self.roster = roster
            self.owned = owned
            self.remembered = remembered
            self.bonded = bonded
            self.held = held
        }
    }

    /// A signal strength in dBm.
    package enum Signal: Hashable, Sendable {
        case received(Int)
        /// The gateway has the device in its configuration and does not receive it.
        case none

        var json: JSON { if case .received(let value) = self { .number(value) } else { .null } }
    }

    /// The place of a payload among those of one report.
    package struct Part: Hashable, Sendable {
        /// From 1 on.
        package let number: Int
        package let count: Int

        package init(number: Int, count: Int) {
            self.number = number
            self.count = count
        }

        var json: JSON { [.number(number), .number(count)] }

        init?(_ json: JSON) {
            guard let array = json.array, array.count == 2, let number = array[0].fleetNumber,
                let count = array[1].fleetNumber, number >= 1, number <= count
            else { return nil }
            self.init(number: number, count: count)
        }
    }

    /// The random name of the process.
    package var start: String
    /// The number of the report; each process counts its reports.
    package var number: Int
    /// The number of the connection to the broker.
    package var connection: Int
    /// Which part of the report this is; nil: the report has one payload.
    package var part: Part?
    /// The key of the decider that the gateway follows.
    package var followed: FleetKey?
    /// The number of connections to devices that are free.
    package var freeSlots: Int
    /// Nil: the report has only changes.
    package var whole: Whole?
    /// The signal strengths of devices; in a full report, of all shared devices.
    package var signals: [String: Signal] = [:]
    /// Whether the gateway has a connection to the device; in a full report, all its connections.
    package var links: [String: Bool] = [:]
    /// The devices that the gateway owns since this report, with their stamps.
    package var accepted: [String: FleetStamp] = [:]
    /// The devices that the gateway no longer owns, with the stamps of their assignments.
    package var dropped: [String: FleetStamp] = [:]
    /// The counters of the last encrypted advertisements, by device and format; of the devices that the gateway owns or drops.
    package var counters: [String: [String: Int]] = [:]
    /// The devices whose owners the gateway asks for, because it keeps readings of them.
    package var wanted: [String] = []
    /// The requests that wait for execution.
    package var pending: [String: FleetClaim] = [:]
    /// The requests that the gateway is about to execute.
    package var begun: [String: FleetRequest] = [:]
    /// The requests that have been answered.
    package var done: [String] = []
    /// The requests in `pending` that may have been executed unnoticed; nil: there are none.
    package var doubt: FleetDoubt?
    /// Whether the gateway has missed a decision.
    package var hasMissed = false
    /// Whether the gateway stops.
    package var isLeaving = false

    package init(start: String, number: Int, connection: Int, followed: FleetKey? = nil, freeSlots: Int = 0) {
        self.start = start
        self.number = number
        self.connection = connection
        self.followed = followed
        self.freeSlots = freeSlots
    }

    package var json: JSON {
        var members: JSON.Object = [
            "start": .string(start), "n": .number(number), "connection": .number(connection),
        ]
        members.add("part", part?.json)
        members.add("follows", followed?.json)
        members["free"] = .number(freeSlots)
        if let whole {
            members["all"] = true
            members["speaks"] = .number(whole.version)
            members["rank"] = .number(whole.rank)
            members["roster"] = .string(whole.roster)
            members["owns"] = JSON.fleetObject(whole.owned, \.json)
            members.addFleet("remembers", whole.remembered, \.json)
            members.add("bonded", whole.bonded.map { .array($0.map { .string($0) }) })
            members.addFleet("held", whole.held)
        }
        members.addFleet("hears", signals, \.json)
        members.addFleet("linked", links) { .bool($0) }
        members.addFleet("got", accepted, \.json)
        members.addFleet("dropped", dropped, \.json)
        members.addFleet("counters", counters) { JSON.fleetObject($0) { .number($0) } }
        members.addFleet("want", wanted)
        members.addFleet("pending", pending, \.json)
        members.addFleet("begun", begun) { .object($0.members) }
        members.addFleet("done", done)
        members.add("doubt", doubt?.json)
        members.addFleet("missed", hasMissed)
        members.addFleet("leaving", isLeaving)
        return .object(members)
    }

    /// - Returns: nil if the payload is not of this kind, or exceeds `FleetLimits`.
    package init?(_ json: JSON) {
        guard let start = json["start"]?.fleetName, let number = json["n"]?.fleetNumber,
            let connection = json["connection"]?.fleetNumber, let freeSlots = json["free"]?.fleetNumber,
            let isWhole = JSON.fleetFlag(json["all"]),
            let signals = JSON.fleetMap(json["hears"], Self.signal),
            let links = JSON.fleetMap(json["linked"], \.bool),
            let accepted = JSON.fleetMap(json["got"], { FleetStamp($0) }),
            let dropped = JSON.fleetMap(json["dropped"], { FleetStamp($0) }),
            let counters = JSON.fleetMap(
                json["counters"], { JSON.fleetMap($0, limit: FleetLimits.formats, \.fleetNumber) }),
            let wanted = JSON.fleetNames(json["want"]),
            let pending = JSON.fleetMap(json["pending"], limit: FleetLimits.requests, { FleetClaim($0) }),
            let begun = JSON.fleetMap(json["begun"], limit: FleetLimits.requests, { FleetRequest($0) }),
            let done = JSON.fleetNames(json["done"], limit: FleetLimits.requests),
            let hasMissed = JSON.fleetFlag(json["missed"]), let isLeaving = JSON.fleetFlag(json["leaving"])
        else { return nil }
        var followed: FleetKey?
        if let follows = json["follows"] {
            followed = FleetKey(follows)
            if followed == nil { return nil }
        }
        self.init(
            start: start, number: number, connection: connection, followed: followed,
            freeSlots: min(freeSlots, FleetLimits.devices))
        if let member = json["part"] {
            part = Part(member)
            if part == nil { return nil }
        }
        if let member = json["doubt"] {
            doubt = FleetDoubt(member)
            if doubt == nil { return nil }
        }
        if isWhole {
            guard let whole = Whole(json) else { return nil }
            self.whole = whole
        }
        self.signals = signals
        self.links = links
        self.accepted = accepted
        self.dropped = dropped
        self.counters = counters
        self.wanted = wanted
        self.pending = pending
        self.begun = begun
        self.done = done
        self.hasMissed = hasMissed
        self.isLeaving = isLeaving
    }

    private static func signal(_ json: JSON) -> Signal? {
        json.isNull ? Signal.none : json.fleetSignal.map { .received($0) }
    }
}

extension FleetReport.Whole {
    fileprivate init?(_ json: JSON) {
        guard let version = json["speaks"]?.fleetNumber, let rank = json["rank"]?.fleetNumber,
            let roster = json["roster"]?.fleetName, let owned = JSON.fleetMap(json["owns"], { FleetStamp($0) }),
            let remembered = JSON.fleetMap(json["remembers"], { FleetStamp($0) }),
            let held = JSON.fleetNames(json["held"], limit: FleetLimits.requests)
        else { return nil }
        var bonded: [String]?
        if let names = json["bonded"] {
            bonded = JSON.fleetNames(names)
            if bonded == nil { return nil }
        }
        self.init(
            version: version, rank: rank, roster: roster, owned: owned, remembered: remembered, bonded: bonded,
            held: held)
    }
}
