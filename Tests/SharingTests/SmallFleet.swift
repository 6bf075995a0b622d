import Contract
import JSON
import Sharing
import System

/// Gateways with a broker that delivers each message at once and loses none.
final class SmallFleet {
    private(set) var now = Instant(nanoseconds: 1_000_000_000_000)
    private var machines: [String: FleetGateway] = [:]
    private var listeners: Set<String> = []
    private var queue: [(gateway: String, event: FleetEvent)] = []
    /// The signal strengths that the gateways measure, by gateway and device, in dBm.
    var levels: [String: [String: Int]] = [:]
    /// The actions except messages, in order.
    private(set) var log: [(gateway: String, action: FleetAction)] = []
    private(set) var reports: [(gateway: String, report: FleetReport)] = []
    private(set) var decisions: [FleetDecision] = []
    /// The messages about changes of devices, in order.
    private(set) var exchanged: [(gateway: String, message: FleetChanges)] = []
    /// The devices whose changes no gateway applies.
    var rejected: Set<String> = []
    /// The gateways whose messages neither reach the broker nor arrive.
    var cut: Set<String> = []
    /// Called when a gateway has lost a device.
    var onEnd: () -> Void = {}
    /// Whether the broker loses a message.
    var isLost: (FleetEvent) -> Bool = { _ in false }
    /// The gateway that holds the seat, and the end of its lock; nil: none has held it.
    private var seat: (holder: String, end: Instant)?
    private let devices: [String: ConnectionNeed]
    /// The revisions of changed devices in the state folders of the gateways, by gateway and device.
    private(set) var revisions: [String: [String: FleetRevision]] = [:]
    /// The number of changes that one message has room for.
    private static let room = 3

    init(devices: [String: ConnectionNeed]) {
        self.devices = devices
    }

    /// Starts a gateway under a key; the key is the name of the gateway unless two have the same name.
    func start(
        _ key: String, name: String? = nil, rank: Int = 100, rules: FleetRules = .all, links: Set<String> = [],
        memory: FleetMemory = FleetMemory(), hasSeat: Bool = false
    ) {
        let identity = FleetIdentity(
            gateway: name ?? key, start: "start of \(key)", rank: rank, hasSeat: hasSeat)
        machines[key] = FleetGateway(
            identity, devices: devices, roster: "5ad1", memory: memory, rules: rules, at: now)
        send(.freeSlots(4), to: key)
        for device in links.sorted() { send(.linkFound(device: device), to: key) }
        send(.revisions(revisions[key] ?? [:], changed: []), to: key)
        send(.connected(connection: 1), to: key)
    }

    /// Changes a device by a request to a gateway.
    func change(_ device: String, at key: String, number: Int? = nil) {
        let revision = FleetRevision(number: number ?? self[key].nextRevision, gateway: key)
        revisions[key, default: [:]][device] = revision
        send(.revisions(revisions[key] ?? [:], changed: [device]), to: key)
    }

    /// Replaces the revisions in the state folder of a gateway that does not run.
    func store(_ revisions: [String: FleetRevision], at key: String) {
        self.revisions[key] = revisions
    }

    /// Loses the state folder of a gateway that does not run.
    func loseFolder(of key: String) {
        revisions[key] = nil
    }

    /// Ends a process; the broker publishes no will.
    func kill(_ key: String) {
        machines[key] = nil
    }

    subscript(key: String) -> FleetGateway {
        guard let machine = machines[key] else { preconditionFailure("the gateway \(key) does not run") }
        return machine
    }

    func send(_ event: FleetEvent, to key: String) {
        queue.append((key, event))
        drain()
    }

    private func drain() {
        while !queue.isEmpty {
            let (key, event) = queue.removeFirst()
            guard let actions = machines[key]?.handle(event, at: now) else { continue }
            for action in actions { perform(action, of: key) }
        }
    }

    private func perform(_ action: FleetAction, of key: String) {
        switch action {
        case .publishReport(let report):
            reports.append((key, report))
            let name = key.prefix { $0 != "'" }
            deliver(.report(report, gateway: String(name)), from: key) { listener in
                listener.prefix { $0 != "'" } == name || self.listeners.contains(listener)
            }
        case .publishDecision(let decision):
            decisions.append(decision)
            deliver(.decision(decision), from: key) { _ in true }
        case .publishChanges(let devices, let wanted):
            let known = revisions[key] ?? [:]
            let changes = devices.prefix(Self.room).compactMap { device in
                known[device].map { (device, FleetChanges.Change(revision: $0, content: [:])) }
            }
            let message = FleetChanges(changes: Dictionary(uniqueKeysWithValues: changes), wanted: wanted)
            exchanged.append((key, message))
            deliver(.changes(message, gateway: key), from: key) { _ in true }
        case .publishRevisions(let list):
            exchanged.append((key, FleetChanges(known: list)))
            deliver(.changes(FleetChanges(known: list), gateway: key), from: key) { _ in true }
        case .applyChanges(let changes):
            for (device, change) in changes where !rejected.contains(device) {
                revisions[key, default: [:]][device] = change.revision
            }
            queue.append((key, .revisions(revisions[key] ?? [:], changed: [])))
        case .readReports(let isOn): if isOn { listeners.insert(key) } else { listeners.remove(key) }
        case .takeSeat:
            if let seat, seat.holder != key, now < seat.end { return }
            seat = (key, now + .seconds(3))
            queue.append((key, .seated(begun: [:], answered: [], asked: now, giver: nil)))
        case .measure: queue.append((key, .measured(levels[key] ?? [:])))
        default:
            log.append((key, action))
            if case .end = action { onEnd() }
        }
    }

    private func deliver(_ event: FleetEvent, from key: String, to isReader: (String) -> Bool) {
        guard !cut.contains(key), !isLost(event) else { return }
        for reader in machines.keys.sorted() where isReader(reader) && !cut.contains(reader) {
            queue.append((reader, event))
        }
    }

    /// Lets time pass.
    func run(_ duration: Duration) {
        let end = now + duration
        while let next = machines.min(by: { $0.value.wake < $1.value.wake }), next.value.wake <= end {
            now = max(now, next.value.wake)
            send(.timer, to: next.key)
        }
        now = end
    }

    /// The gateways that may act for a device now.
    func actors(_ device: String) -> [String] {
        machines.filter { $0.value.isInTouch(at: now) && $0.value.isActing(for: device) }.keys.sorted()
    }

    /// The gateways that decide.
    var deciders: [String] { machines.filter(\.value.isDeciding).keys.sorted() }

    func clearLog() {
        log = []
    }
}
