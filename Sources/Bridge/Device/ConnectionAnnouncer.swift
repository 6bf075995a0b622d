import BlueZ
import Configuration
import Contract
import Devices
import EventLoop
import System

/// Publishes the events of a connection: each one is announced once, and its end with the reason that bluetoothd reports.
///
/// bluetoothd reports the reason of a loss just before or just after the loss itself. A device that ends its connections by
/// itself although it should stay connected is reported once.
final class ConnectionAnnouncer: LoopPart {
    enum Event {
        /// bluetoothd has reported the reason of the loss that is being announced.
        case explained(String)
        /// The end of the connection can be announced, with `announceEnd(because:until:)`.
        case ended
    }

    private enum Announcement {
        /// `device_connected`
        case connected
        /// `services_changed`
        case servicesChanged
        /// `device_disconnected`
        case disconnected
    }

    /// How long `device_disconnected` waits for the reason.
    private static let explanationDelay: Duration = .milliseconds(200)

    let loop: EventLoop
    private let connection: ConnectionExecutor
    private let output: DevicePublisher
    private let report: (Event) -> Void

    /// Whether `device_connected` has been published for this connection.
    private var isAnnounced = false
    /// The timer that publishes `device_disconnected` if bluetoothd does not report the reason in time.
    private var timer: Timer?
    /// The reason of a loss that bluetoothd has reported before the loss itself.
    private var earlyExplanation: DisconnectReason?
    /// The end of the last connection.
    private var lastEnd: (isLost: Bool, wasOfUse: Bool, cause: DisconnectReason?) = (false, false, nil)
    /// nil: the device need not stay connected.
    private var idleDisconnections: IdleDisconnections?

    /// - Parameters:
    ///   - configuration: The configuration of the device.
    ///   - connection: The connection of the device.
    ///   - output: Publishes the events.
    ///   - loop: The event loop of the device.
    ///   - report: Called with each event.
    init(
        _ configuration: Configuration.Device, _ connection: ConnectionExecutor, _ output: DevicePublisher,
        loop: EventLoop, report: @escaping (Event) -> Void
    ) {
        if configuration.connect == .always, !configuration.isOccasional { idleDisconnections = IdleDisconnections() }
        self.connection = connection
        self.output = output
        self.loop = loop
        self.report = report
    }

    /// Announces a change of the phase, if it begins or ends a connection.
    ///
    /// - Parameters:
    ///   - old: The phase before the change.
    ///   - new: The phase after it.
    ///   - isLost: Whether the connection was lost.
    ///   - wasOfUse: Whether a value had arrived, or a command was answered.
    func announce(from old: Session.Phase, to new: Session.Phase, isLost: Bool, wasOfUse: Bool) {
        switch announcement(from: old, to: new) {
        case .connected:
            idleDisconnections?.connected(at: loop.now)
            output.connected(by: connection.snapshot?.adapterName)
        case .servicesChanged: output.servicesChanged()
        case .disconnected:
            lastEnd = (isLost, wasOfUse, nil)
            let isExplained = connection.snapshot?.reportsDisconnectReasons ?? false
            guard isExplained, isLost else { return report(.ended) }
            if let cause = earlyExplanation {
                earlyExplanation = nil
                timer = after(.zero) { $0.explained(cause) }
            } else {
                timer = after(Self.explanationDelay) { $0.report(.ended) }
            }
        case nil: break
        }
    }

    private func announcement(from old: Session.Phase, to new: Session.Phase) -> Announcement? {
        switch new {
        case .ready:
            // A change of the services is announced after the discovery: bluetoothd also removes the services of a device
            // whose connection or adapter is gone, before it reports that.
            guard !isAnnounced else { return old == .discovering ? .servicesChanged : nil }
            isAnnounced = true
            earlyExplanation = nil
            return .connected
        case .discovering: return nil
        case .idle, .seeking, .connecting, .pairing, .ending:
            guard isAnnounced else { return nil }
            isAnnounced = false
            return .disconnected
        }
    }

    /// Handles the reason of a loss, which bluetoothd reports just before or after the loss.
    func explained(_ cause: DisconnectReason) {
        guard timer != nil else {
            if isAnnounced { earlyExplanation = cause }
            return
        }
        lastEnd.cause = cause
        report(.explained(cause.description))
        report(.ended)
    }

    /// Publishes `device_disconnected`.
    func announceEnd(because reason: String, until pauseEnd: Timestamp?) {
        stop()
        output.disconnected(because: reason, until: pauseEnd)
        let habit = idleDisconnections?.ended(because: causeOfLastEnd, wasOfUse: lastEnd.wasOfUse, at: loop.now)
        if let habit { output.disconnectsWhenIdle(habit) }
    }

    private var causeOfLastEnd: IdleDisconnections.Cause {
        guard lastEnd.isLost else { return .other }
        return lastEnd.cause.map { $0 == .remote ? .device : .other } ?? .unknown
    }

    func stop() {
        timer?.cancel()
        timer = nil
    }
}
