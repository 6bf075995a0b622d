import Codec
import Contract
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
        /// The treatment of a reading that waited, and that arrived under a stamp.
        let admissionOfHeld: (FleetStamp) -> Admission
        /// The number of advertisements of the device that may wait.
        let limit: () -> Int
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
        let stamp: FleetStamp
    }

    private let questions: Questions
    private var held: [Held] = []
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

    /// Returns whether readings that have just arrived are published now; those that arrive in doubt wait.
    func admits(_ readings: [AdvertisementReading], at arrival: Instant, _ time: Timestamp) -> Bool {
        switch questions.admission() {
        case .publish: return true
        case .drop: return false
        case .hold(let stamp):
            let limit = questions.limit()
            if held.count >= limit { held.removeFirst(held.count - limit + 1) }
            held.append(Held(readings: readings, arrival: arrival, time: time, stamp: stamp))
            return false
        }
    }

    /// Removes and returns the readings that waited and may be published now, in order; drops those of another owner.
    func takeHeld() -> [Held] {
        guard !held.isEmpty else { return [] }
        var released: [Held] = []
        held.removeAll { entry in
            switch questions.admissionOfHeld(entry.stamp) {
            case .publish: released.append(entry)
            case .drop: break
            case .hold: return false
            }
            return true
        }
        return released
    }
}
