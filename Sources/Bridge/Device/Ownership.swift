import Codec
import Contract
import MQTT
import Sharing
import System

/// Whether this gateway publishes the messages of one shared device: of all gateways that share it, only its owner does.
///
/// Readings that arrive in doubt wait here. `DeviceSharing` answers the questions.
final class Ownership: Publication.Sharing {
    /// The questions to the part of the gateway that knows the owners; all shared devices have them in common.
    final class Questions: Sendable {
        /// The treatment of a reading of an advertisement that has just arrived, by device.
        let admission: @Sendable (_ device: String) -> Admission
        /// The treatment of a reading that waited, by its device, its stamp and its arrival.
        let admissionOfHeld: @Sendable (_ device: String, FleetStamp?, Instant) -> Admission
        /// The number of advertisements of each device that may wait.
        let limit: @Sendable () -> Int
        /// Keeps the readings that wait on the disk soon, because there is no room for more.
        let keepSoon: @Sendable () -> Void
        /// The reason why this gateway owns a device, for people; nil: not known.
        let why: @Sendable (_ device: String) -> String?
        /// Why this gateway must not connect to a device although it owns it; nil: it may.
        let obstacle: @Sendable (_ device: String) -> String?

        init(
            admission: @escaping @Sendable (_ device: String) -> Admission,
            admissionOfHeld: @escaping @Sendable (_ device: String, FleetStamp?, Instant) -> Admission,
            limit: @escaping @Sendable () -> Int, keepSoon: @escaping @Sendable () -> Void,
            why: @escaping @Sendable (_ device: String) -> String?,
            obstacle: @escaping @Sendable (_ device: String) -> String?
        ) {
            self.admission = admission
            self.admissionOfHeld = admissionOfHeld
            self.limit = limit
            self.keepSoon = keepSoon
            self.why = why
            self.obstacle = obstacle
        }
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

    private let device: String
    private let questions: Questions
    private var held: [Held] = []
    /// Messages for the disk that are not readings of one advertisement: averages.
    private var keptMessages: [HeldMessage] = []
    /// Whether a state was not published because the right to publish was in doubt.
    private var hasWithheldState = false

    init(of device: String, _ questions: Questions) {
        self.device = device
        self.questions = questions
    }

    /// Whether this gateway publishes the device now.
    var mayPublish: Bool { questions.admission(device) == .publish }

    /// Why this gateway owns the device, for people; nil: not known.
    var why: String? { questions.why(device) }

    /// Why this gateway must not connect to the device although it owns it; nil: it may.
    var obstacle: String? { questions.obstacle(device) }

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

    func keep(_ message: Message, _ arrival: Instant) {
        guard case .hold(let stamp) = questions.admission(device) else { return }
        keptMessages.append(HeldMessage(message: message, arrival: arrival, stamp: stamp))
    }

    /// Returns whether readings that have just arrived are published now; those that arrive in doubt wait.
    ///
    /// `areKept`: if there is no room for more, they are kept on the disk.
    func admits(
        _ readings: [AdvertisementReading], at arrival: Instant, _ time: Timestamp, areKept: @autoclosure () -> Bool
    ) -> Bool {
        switch questions.admission(device) {
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
            switch questions.admissionOfHeld(device, entry.stamp, entry.arrival) {
            case .publish: released.append(entry)
            case .drop: break
            case .hold: return false
            }
            return true
        }
        return released
    }
}
