import Bluetooth
import Contract
import Devices
import EventLoop
import JSON
import System

/// The published state of one device: connection, availability and counters.
///
/// A value without I/O: it determines which states have changed, and the device publishes them.
struct DeviceStatus {
    private(set) var presence = Presence()
    /// The last published payload of the topic `connection`; nil before the first.
    private(set) var connection: ConnectionStatus?
    /// When `connection` was published for the first time; the time of creation before that.
    private(set) var connectionTime: Timestamp
    /// Since when the state of the availability has been the same; nil before the first.
    private(set) var availabilitySince: Timestamp?
    private var availabilityState: Availability.State?
    /// Why the device waits for a connection slot; valid only while the session waits for a slot.
    private(set) var slotReason: String?
    /// The end of the pause of the last request to disconnect; nil if the request had no pause.
    private(set) var pauseEnd: Timestamp?
    /// Whether the device has been seen or connected since the start.
    private(set) var isSeen = false
    /// The state of the availability that the log shows; nil before the device has been available.
    private var loggedAvailability: Availability.State?
    // The properties that are used for each value come last: in `Device`, the session's first properties follow them.
    /// The timer that publishes the availability after the deadline for the next value or advertisement.
    private(set) var judgementTimer: Timer?
    /// The last published payload of the topic `availability`; nil if it must be published again.
    private(set) var availability: Availability?
    private(set) var history = DeviceHistory()
    /// Whether the device was unavailable when it was last managed with Bluetooth on.
    private var isUnavailable = false

    /// - Parameter time: the current time.
    init(at time: Timestamp) {
        connectionTime = time
    }

    // MARK: The session

    /// Updates the presence and the counters after the session has handled an event.
    ///
    /// - Parameters:
    ///   - event: the event.
    ///   - session: the session after the event.
    ///   - old: the phase before the event.
    ///   - wasUsable: `session.isUsable` before the event.
    ///   - wasAsleep: `session.isAsleep` before the event.
    ///   - now: the current time.
    mutating func note(
        _ event: SessionEvent, _ session: Session, from old: Session.Phase, wasUsable: Bool, wasAsleep: Bool,
        at now: Instant
    ) {
        presence.note(session, wasUsable: wasUsable, wasAsleep: wasAsleep, at: now)
        history.note(event, from: old, to: session.phase, at: now)
    }

    mutating func noteCollected(at now: Instant) {
        presence.noteCollected(at: now)
    }

    /// Counts a notified value that changes neither the session nor the availability.
    mutating func noteNotification(at now: Instant) {
        history.noteNotification(at: now)
    }

    mutating func noteDecodingFailure() {
        history.noteDecodingFailure()
    }

    /// Notes why the device is no longer managed.
    mutating func stop(because reason: String) {
        presence.stop(because: reason)
    }

    /// Notes an advertisement or a connection; returns whether it is the first one.
    mutating func noteSeen() -> Bool {
        defer { isSeen = true }
        return !isSeen
    }

    mutating func waitForSlot(because reason: String) {
        slotReason = reason
    }

    mutating func pause(until end: Timestamp?) {
        pauseEnd = end
    }

    /// Corrects the times that the broker retains.
    mutating func correctTimes(_ step: ClockStep) {
        connectionTime = step.corrected(connectionTime)
        pauseEnd = pauseEnd.map(step.corrected)
        availabilitySince = availabilitySince.map(step.corrected)
        if let until = connection?.until { connection?.until = step.corrected(until) }
    }

    // MARK: Connection and availability

    /// Stores a connection status as the published status; returns false if the status has not changed.
    mutating func update(_ status: ConnectionStatus, at time: Timestamp) -> Bool {
        guard status != connection else { return false }
        connection = status
        connectionTime = time
        return true
    }

    /// Stores an availability as the published availability; returns false if the availability has not changed.
    mutating func update(_ availability: Availability, at time: @autoclosure () -> Timestamp) -> Bool {
        guard availability != self.availability else { return false }
        self.availability = availability
        if availability.state != availabilityState {
            availabilityState = availability.state
            availabilitySince = time()
        }
        return true
    }

    /// Notes the availability while the device is managed and Bluetooth is on.
    mutating func noteManaged(_ availability: Availability) {
        isUnavailable = !availability.isAvailable
    }

    /// Takes over from an earlier run that the device was unavailable.
    mutating func restore(_ memory: AdvertiserMemory) {
        guard memory.isSilent else { return }
        isUnavailable = true
        presence.restore(lastCollected: memory.lastAccepted)
    }

    /// Returns the memory of a device that is connected periodically; nil if it is available, or for other devices.
    func memory(_ plan: SessionPlan, at now: Instant) -> AdvertiserMemory? {
        guard isUnavailable, let last = presence.lastCollectedForNextRun(plan, at: now) else { return nil }
        return AdvertiserMemory(lastAccepted: last, interval: nil, isSilent: true)
    }

    /// Returns whether the log must show an availability: `online` and `asleep` count as one, and a device that has not
    /// been available yet is only `first seen`.
    mutating func mustLog(_ availability: Availability) -> Bool {
        let state = availability.isAvailable ? .online : availability.state
        let old = loggedAvailability
        guard old != nil || state != .offline else { return false }
        loggedAvailability = state
        return state != old && (old != nil || state != .online)
    }

    /// Makes the next update of the availability a change.
    mutating func forgetAvailability() {
        availability = nil
    }

    /// Sets the timer that judges the availability again.
    ///
    /// - Parameters:
    ///   - moment: when the availability changes if no value or advertisement arrives; nil if it does not change.
    ///   - makeTimer: starts a timer that calls `judgementDue()`.
    mutating func judgeAgain(at moment: Instant?, _ makeTimer: (Instant) -> Timer) {
        // Each value postpones the deadline. A timer that is due earlier is not replaced: it sets the next timer when
        // due.
        if let judgementTimer, let moment, judgementTimer.due <= moment { return }
        judgementTimer?.cancel()
        judgementTimer = moment.map(makeTimer)
    }

    mutating func judgementDue() {
        judgementTimer = nil
    }

    mutating func cancelTimer() {
        judgementTimer?.cancel()
    }
}
