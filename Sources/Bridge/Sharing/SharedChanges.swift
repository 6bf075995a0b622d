import Bluetooth
import Contract
import Devices
import EventLoop
import JSON
import Log
import System

/// The changes of devices at run time between this gateway and the others: their contents are in the roster.
final class SharedChanges: LoopPart {
    /// The greatest size of the contents in one message, in bytes; a larger message could delay the reports of the gateway.
    private static let messageSize = 64 << 10
    /// The greatest size of the content of one device, in bytes of JSON: an entry, options and names.
    private static let contentSize = RosterLimit.entry + RosterLimit.options + 4096
    /// The greatest size of the received changes that wait, in bytes; more of them arrive again later.
    private static let waitingSize = 1 << 20
    /// The time between two applications of changes: each one writes to the disk, and makes the gateway report all devices.
    ///
    /// It is doubled while changes arrive all the time, such as adoptions, up to `longestPause`.
    private static let pause = Duration.seconds(1)
    private static let longestPause = Duration.seconds(8)
    /// The number of obstacles that are remembered, so that each is logged once.
    private static let mostObstacles = 1000

    let loop: EventLoop
    private let fleet: Fleet
    private let log = Log("sharing")
    private let lines = FailureLines()
    private var waiting: [Address: Fleet.ReceivedChange] = [:]
    private var waitingSize = 0
    private var isBusy = false
    private var pause = SharedChanges.pause
    /// The changes that were not applied, by address; they arrive again as long as the gateways differ.
    private var rejected: [Address: FleetRevision] = [:]
    /// Called with the names of devices that another device of the same name has replaced.
    private let replaced: ([String]) -> Void

    init(fleet: Fleet, loop: EventLoop, replaced: @escaping ([String]) -> Void) {
        self.fleet = fleet
        self.loop = loop
        self.replaced = replaced
    }

    // MARK: Messages

    /// The revisions of all changed devices, by address.
    var revisions: [String: FleetRevision] {
        Dictionary(uniqueKeysWithValues: fleet.roster.revisions.map { ("\($0.key)", $0.value) })
    }

    /// Returns the changes of devices, as many as one message has room for, and at least one.
    func changes(of addresses: [String]) -> [String: FleetChanges.Change] {
        let all = fleet.roster.deviceChanges
        var changes: [String: FleetChanges.Change] = [:]
        var size = 0
        for name in addresses {
            guard let address = Address(name), let revision = fleet.roster.revisions[address] else { continue }
            let content = (all[address] ?? DeviceChange()).content
            size += JSON.object(content).description.utf8.count
            guard size <= Self.messageSize || changes.isEmpty else { break }
            changes[name] = FleetChanges.Change(revision: revision, content: content)
        }
        return changes
    }

    // MARK: Changes of other gateways

    /// Applies changes soon; those that are not valid are logged, and ignored.
    func apply(_ changes: [String: FleetChanges.Change]) {
        for (name, change) in changes {
            let size = JSON.object(change.content).description.utf8.count
            guard let address = Address(name), name == "\(address)", size <= Self.contentSize,
                let content = DeviceChange(change.content, of: address)
            else {
                reject("\(name): a change of the gateway \(change.revision.gateway) is ignored: it is not valid")
                continue
            }
            let isNewer = waiting[address].map { $0.revision < change.revision } ?? true
            guard isNewer, waitingSize + size <= Self.waitingSize else { continue }
            waitingSize += size
            waiting[address] = Fleet.ReceivedChange(revision: change.revision, change: content)
        }
        applySoon()
    }

    private func applySoon() {
        guard !isBusy, !waiting.isEmpty else { return }
        isBusy = true
        fleet.change { [weak self] in await self?.applyWaiting() }
    }

    private func applyWaiting() async {
        let changes = waiting
        (waiting, waitingSize) = ([:], 0)
        do throws(SystemError) {
            let outcome = try await fleet.merge(changes)
            for (address, obstacle) in outcome.obstacles.sorted(by: { $0.key.value < $1.key.value }) {
                guard let received = changes[address] else { continue }
                note(obstacle, to: received, of: address)
            }
            if !outcome.replaced.isEmpty { replaced(outcome.replaced) }
        } catch {
            reject("\(error): the changes of other gateways are not applied")
        }
        after(pause) { changes in
            changes.isBusy = false
            changes.pause = changes.waiting.isEmpty ? Self.pause : min(changes.pause * 2, Self.longestPause)
            changes.applySoon()
        }
    }

    /// Logs once why a change is not applied.
    private func note(_ obstacle: String, to received: Fleet.ReceivedChange, of address: Address) {
        guard rejected[address] != received.revision else { return }
        if rejected.count >= Self.mostObstacles { rejected = [:] }
        rejected[address] = received.revision
        let name = received.change.names.last ?? "\(address)"
        reject("\(name): the change by the gateway \(received.revision.gateway) is not applied here: \(obstacle)")
    }

    private func reject(_ text: String) {
        if let line = lines.line(text, at: loop.now) { log.warning(line) }
    }
}
