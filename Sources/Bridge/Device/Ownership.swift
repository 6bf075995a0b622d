import Codec
import Contract
import MQTT
import Sharing
import System

/// Whether this gateway publishes the messages of one shared device: of all gateways that share it, only its owner does.
///
/// Readings that arrive in doubt wait here. `DeviceSharing` answers the questions.
final class Ownership {
    /// The questions to the part of the gateway that knows the owners.
    struct Questions {
        /// The treatment of a reading of an advertisement that has just arrived.
        let admission: () -> Admission
        /// The treatment of a reading that waited, by its stamp and its arrival.
        let admissionOfHeld: (FleetStamp?, Instant) -> Admission
        /// The number of advertisements of the device that may wait.
        let limit: () -> Int
        /// Keeps the readings that wait on the disk soon, because there is no room for more.
        let keepSoon: () -> Void
        /// The reason why this gateway owns the device, for people; nil: not known.
        let why: () -> String?
        /// Why this gateway must not connect to the device although it owns it; nil: it may.
        let obstacle: () -> String?
    }

    /// The readings of an advertisement that wait.
    struct Held {
        let readings: [AdvertisementReading]
        let arrival: Instant
        let time: Timestamp
        /// The assignment under which they arrived; nil: they are published in any case.
        let stamp: FleetStamp?
        /// Whether those with `keep: all` are on the disk.
        var isKept = false
    }

    private let questions: Questions
    private var held: [Held] = []
    /// Messages for the disk that are not readings of one advertisement: averages.
    private var keptMessages: [HeldMessage] = []
    /// Whether a state was not published because the right to publish was in doubt.
    private var hasWithheldState = false

    init(_ questions: Questions) {
        self.questions = questions
    }

    /// Whether this gateway publishes the device now.
    var mayPublish: Bool { questions.admission() == .publish }

    /// Why this gateway owns the device, for people; nil: not known.
    var why: String? { questions.why() }

    /// Why this gateway must not connect to the device although it owns it; nil: it may.
    var obstacle: String? { questions.obstacle() }

    // MARK: States

    /// Returns whether a state may be published now; a withheld one must be published again later.
    func admitsState() -> Bool {
        let isAdmitted = mayPublish
        if !isAdmitted { hasWithheldState = true }
        return isAdmitted
    }

    /// Returns whether a state was withheld since the last call.
    func takeWithheldState() -> Bool {
        defer { hasWithheldState = false }
        return hasWithheldState
    }

    // MARK: Readings

    /// The owner as the publications of the device see it.
    var sharing: Publication.Sharing {
        Publication.Sharing {
            self.mayPublish
        } keep: {
            self.keep($0, $1)
        }
    }

    private func keep(_ message: Message, _ arrival: Instant) {
        guard case .hold(let stamp) = questions.admission() else { return }
        keptMessages.append(HeldMessage(message: message, arrival: arrival, stamp: stamp))
    }

    /// Returns whether readings that have just arrived are published now; those that arrive in doubt wait.
    ///
    /// `areKept`: if there is no room for more, they are kept on the disk.
    func admits(
        _ readings: [AdvertisementReading], at arrival: Instant, _ time: Timestamp, areKept: @autoclosure () -> Bool
    ) -> Bool {
        switch questions.admission() {
        case .publish: return true
        case .drop: return false
        case .hold(let stamp):
            makeRoom(areKept: areKept())
            held.append(Held(readings: readings, arrival: arrival, time: time, stamp: stamp))
            return false
        }
    }

    /// Makes room for one more advertisement; readings that are kept on the disk get there first, if there is time.
    private func makeRoom(areKept: Bool) {
        var limit = questions.limit()
        if areKept, held.count >= limit, held.first?.isKept == false {
            questions.keepSoon()
            limit *= 2
        }
        if held.count >= limit { held.removeFirst(held.count - limit + 1) }
    }

    /// Returns the readings that wait and were not kept on the disk; they are kept from now on.
    ///
    /// - Parameters:
    ///   - includesNewest: Whether the newest readings are included.
    ///   - areComplete: Whether all readings are kept, so that none of them waits in memory any more.
    /// - Returns: The readings in the order of their arrival.
    func keepHeld(includesNewest: Bool, areComplete: Bool) -> [Held] {
        let end = includesNewest ? held.count : max(0, held.count - 1)
        let others = held[..<end].filter { !$0.isKept }
        for index in 0..<end { held[index].isKept = true }
        if areComplete { held.removeFirst(end) }
        return others
    }

    /// Removes and returns the messages for the disk.
    func takeKeptMessages() -> [HeldMessage] {
        defer { keptMessages = [] }
        return keptMessages
    }

    /// Removes and returns the readings that waited and may be published now, in order; drops those of another owner.
    func takeHeld() -> [Held] {
        guard !held.isEmpty else { return [] }
        var released: [Held] = []
        held.removeAll { entry in
            switch questions.admissionOfHeld(entry.stamp, entry.arrival) {
            case .publish: released.append(entry)
            case .drop: break
            case .hold: return false
            }
            return true
        }
        return released
    }
}
