import Bluetooth
import EventLoop
import JSON
import System

/// The published state of one device: connection, availability, announced events and counters.
///
/// A value without I/O. It decides what has changed; the device publishes it.
struct DeviceStatus {
    enum Announcement {
        /// `device_connected`
        case connected
        /// `services_changed`
        case servicesChanged
        /// `device_disconnected`
        case disconnected
    }

    private(set) var presence = Presence()
    /// The last published payload of `connection`, and when it was published first.
    private(set) var connection: ConnectionStatus?
    private(set) var connectionTime: Timestamp
    /// Why the device waits for a connection slot; valid while the session waits for one.
    private(set) var slotReason: String?
    /// The end of the pause that was requested last.
    private(set) var pauseEnd: Timestamp?
    /// Whether `device_connected` has been published for this connection.
    private var isConnectionAnnounced = false
    /// Publishes `device_disconnected` if bluetoothd does not report the reason in time.
    private var explanationTimer: Timer?

    // The last properties are those that each value touches; the first ones of the session follow.
    /// Publishes the availability that results from silence.
    private(set) var judgementTimer: Timer?
    /// The last published payload of `availability`.
    private(set) var availability: Availability?
    private(set) var history = DeviceHistory()

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
    ///   - wasAsleep: `session.isAsleep` before the event.
    ///   - now: the current time.
    mutating func note(
        _ event: SessionEvent, _ session: Session, from old: Session.Phase, wasAsleep: Bool, at now: Instant
    ) {
        presence.note(session, wasReady: old == .ready, wasAsleep: wasAsleep, at: now)
        history.note(event, from: old, to: session.phase, at: now)
    }

    mutating func noteCollected(at now: Instant) {
        presence.lastCollected = now
    }

    /// A value arrived that changed nothing else.
    mutating func noteNotification(at now: Instant) {
        history.noteNotification(at: now)
    }

    mutating func noteDecodingFailure() {
        history.noteDecodingFailure()
    }

    /// The device is no longer managed.
    mutating func stop(because reason: String) {
        presence.stopReason = reason
    }

    mutating func waitForSlot(because reason: String) {
        slotReason = reason
    }

    mutating func pause(until end: Timestamp?) {
        pauseEnd = end
    }

    // MARK: Connection and availability

    /// Whether a connection status is new; if so, it counts as published.
    mutating func update(_ status: ConnectionStatus, at time: Timestamp) -> Bool {
        guard status != connection else { return false }
        connection = status
        connectionTime = time
        return true
    }

    /// Whether an availability is new; if so, it counts as published.
    mutating func update(_ availability: Availability) -> Bool {
        guard availability != self.availability else { return false }
        self.availability = availability
        return true
    }

    /// Makes the next availability count as new.
    mutating func forgetAvailability() {
        availability = nil
    }

    /// Sets the timer that judges the availability again.
    ///
    /// - Parameters:
    ///   - moment: when silence changes the availability; nil if it does not.
    ///   - makeTimer: starts a timer that calls `judgementDue()`.
    mutating func judgeAgain(at moment: Instant?, _ makeTimer: (Instant) -> Timer) {
        // Each value postpones the deadline: the timer stays at the earliest one.
        if let judgementTimer, let moment, judgementTimer.due <= moment { return }
        judgementTimer?.cancel()
        judgementTimer = moment.map(makeTimer)
    }

    mutating func judgementDue() {
        judgementTimer = nil
    }

    mutating func cancelTimers() {
        judgementTimer?.cancel()
        explanationTimer?.cancel()
    }

    // MARK: Events

    /// Returns the event to announce when the phase has changed.
    mutating func announcement(from old: Session.Phase, to new: Session.Phase) -> Announcement? {
        switch new {
        case .ready:
            guard !isConnectionAnnounced else { return nil }
            isConnectionAnnounced = true
            return .connected
        case .discovering:
            return old == .ready ? .servicesChanged : nil
        case .idle, .seeking, .connecting, .pairing, .ending:
            guard isConnectionAnnounced else { return nil }
            isConnectionAnnounced = false
            return .disconnected
        }
    }

    /// Whether `device_disconnected` waits for the reason of the loss.
    var awaitsExplanation: Bool { explanationTimer != nil }

    /// bluetoothd reports the reason just after the loss itself.
    mutating func awaitExplanation(until timer: Timer) {
        explanationTimer = timer
    }

    mutating func endExplanation() {
        explanationTimer?.cancel()
        explanationTimer = nil
    }
}
